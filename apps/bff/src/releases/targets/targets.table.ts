import { bigint, boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'

/** Places to which the bundle of a channel is delivered. The migration defines the foreign keys. */
export const targets = pgTable(
  'targets',
  {
    targetId: uuid('target_id').primaryKey().defaultRandom(),
    channelId: uuid('channel_id').notNull(),
    name: text('name').notNull(),
    kind: text('kind').$type<'folder' | 's3' | 'git' | 'sftp'>().notNull(),
    /** All settings except secrets. */
    settings: jsonb('settings').$type<Record<string, unknown>>().notNull(),
    /** Secrets, encrypted with the instance secret. */
    sealedSecret: text('sealed_secret'),
    /** True when each new release of the channel is delivered automatically. */
    onRelease: boolean('on_release').notNull().default(false),
    createdBy: text('created_by').notNull(),
    createdAt: instant('created_at').notNull(),
    removedAt: instant('removed_at'),
  },
  (t) => [index('targets_channel').on(t.channelId)],
)

/** Deliveries to targets. One at a time for each target, over all processes. */
export const deliveries = pgTable(
  'deliveries',
  {
    deliveryId: uuid('delivery_id').primaryKey().defaultRandom(),
    targetId: uuid('target_id').notNull(),
    releaseId: uuid('release_id'),
    sha256: text('sha256').notNull(),
    kind: text('kind').$type<'delivery' | 'take_back' | 'verification'>().notNull(),
    state: text('state').$type<'waiting' | 'running' | 'done' | 'failed' | 'replaced'>().notNull(),
    phase: text('phase'),
    done: bigint('done', { mode: 'number' }),
    total: bigint('total', { mode: 'number' }),
    added: integer('added'),
    changed: integer('changed'),
    removed: integer('removed'),
    /** The reason of a failure, in plain text without secrets. */
    problem: text('problem'),
    attempts: integer('attempts').notNull().default(0),
    askedBy: text('asked_by').notNull(),
    askedAt: instant('asked_at').notNull(),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
  },
  (t) => [index('deliveries_target').on(t.targetId, t.askedAt.desc())],
)
