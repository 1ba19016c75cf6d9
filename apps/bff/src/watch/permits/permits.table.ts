import type { ErrorCode } from '@docket/api-types/api-error'
import type { Operation } from '@docket/api-types/connection'
import { bigint, doublePrecision, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { ConnectionLog } from '#admin-api/connection.ts'
import { instant } from '#db/watch-columns.ts'
import type { GateState } from '#watch/gate.ts'

/** Which of the two admin keys. A key itself is never stored. */
export type KeyName = 'main' | 'read'

/** Kinds of records whose reads are held back together. */
export type WatchedClass = 'static_exports' | 'agent_jobs'

/** Calls that are held back together. Services limit prompts on their own, and reads must go on meanwhile. */
export type CallClass = WatchedClass | 'agent_prompts'

/** The token bucket of an admin key, for all Dockets on this database. */
export const callBudgets = pgTable(
  'call_budgets',
  {
    origin: text('origin').notNull(),
    key: text('key').$type<KeyName>().notNull(),
    tokens: doublePrecision('tokens').notNull(),
    /** Until when its refill is counted. Milliseconds since the epoch. */
    atMs: bigint('at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.origin, t.key] })],
)

/** What holds a class of calls back, for all Dockets on this database. */
export const callGates = pgTable(
  'call_gates',
  {
    origin: text('origin').notNull(),
    calls: text('calls').$type<CallClass>().notNull(),
    state: jsonb('state').$type<GateState>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.origin, t.calls] })],
)

/** How the service last behaved over all operations. */
export const connectionStates = pgTable('connection_states', {
  origin: text('origin').primaryKey(),
  state: jsonb('state').$type<ConnectionLog>().notNull(),
})

/** The last answer of each operation. Messages are those for readers, without secrets. */
export const callAnswers = pgTable(
  'call_answers',
  {
    origin: text('origin').notNull(),
    operation: text('operation').$type<Operation>().notNull(),
    at: instant('at').notNull(),
    okAt: instant('ok_at'),
    code: text('code').$type<ErrorCode>(),
    message: text('message'),
    ms: doublePrecision('ms').notNull(),
  },
  (t) => [primaryKey({ columns: [t.origin, t.operation] })],
)

/** Calls by minute. */
export const callMinutes = pgTable(
  'call_minutes',
  {
    origin: text('origin').notNull(),
    key: text('key').$type<KeyName>().notNull(),
    minute: instant('minute').notNull(),
    polls: integer('polls').notNull(),
    clicks: integer('clicks').notNull(),
    rateLimited: integer('rate_limited').notNull(),
    failed: integer('failed').notNull(),
  },
  (t) => [primaryKey({ columns: [t.origin, t.minute, t.key] })],
)
