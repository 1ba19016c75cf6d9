import type { ErrorCode } from '@docket/api-types/api-error'
import type { Operation } from '@docket/api-types/connection'
import { bigint, doublePrecision, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { ConnectionLog } from '#service/admin-api/connection.ts'
import { instant } from '#ground/db/watch-columns.ts'
import type { BreakerState } from './circuit-breaker.ts'

/** One of the two admin keys. Docket never stores the key itself. */
export type KeyName = 'main' | 'read'

/** Kinds of records; the reads of one kind share a circuit breaker. */
export type WatchedClass = 'static_exports' | 'agent_jobs'

/** Calls that share a circuit breaker. Prompts have their own, so a prompt limit does not stop reads. */
export type CallClass = WatchedClass | 'agent_prompts'

/** Rows of an earlier version contain an origin instead of a connection. */
export const callBudgets = pgTable(
  'call_budgets',
  {
    connectionId: text('origin').notNull(),
    key: text('key').$type<KeyName>().notNull(),
    tokens: doublePrecision('tokens').notNull(),
    /** Time of the last refill. Milliseconds since the epoch. */
    atMs: bigint('at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.connectionId, t.key] })],
)

export const callGates = pgTable(
  'call_gates',
  {
    connectionId: text('origin').notNull(),
    key: text('key').$type<KeyName>().notNull().default('main'),
    calls: text('calls').$type<CallClass>().notNull(),
    state: jsonb('state').$type<BreakerState>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.connectionId, t.key, t.calls] })],
)

export const connectionStates = pgTable('connection_states', {
  connectionId: text('origin').primaryKey(),
  state: jsonb('state').$type<ConnectionLog>().notNull(),
})

/** Messages contain no secrets, so people may read them. */
export const callAnswers = pgTable(
  'call_answers',
  {
    connectionId: text('origin').notNull(),
    operation: text('operation').$type<Operation>().notNull(),
    at: instant('at').notNull(),
    okAt: instant('ok_at'),
    code: text('code').$type<ErrorCode>(),
    message: text('message'),
    ms: doublePrecision('ms').notNull(),
  },
  (t) => [primaryKey({ columns: [t.connectionId, t.operation] })],
)

export const callMinutes = pgTable(
  'call_minutes',
  {
    connectionId: text('origin').notNull(),
    key: text('key').$type<KeyName>().notNull(),
    minute: instant('minute').notNull(),
    polls: integer('polls').notNull(),
    clicks: integer('clicks').notNull(),
    rateLimited: integer('rate_limited').notNull(),
    failed: integer('failed').notNull(),
  },
  (t) => [primaryKey({ columns: [t.connectionId, t.minute, t.key] })],
)
