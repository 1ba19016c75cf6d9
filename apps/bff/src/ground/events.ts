import { sql } from 'drizzle-orm'
import type { RecordWork } from '#ground/background/background.ts'
import type { Tx } from '#ground/db/database.ts'
import { eventQueue } from '#ground/db/boss.ts'
import { schemas } from '#ground/db/schemas.ts'

const queues = sql.identifier(schemas.queues)

/** Events, each with its payload: small, and JSON. Every one has an emitter and a handler. */
export type EventPayloads = {
  /** An export was found to be completed, even if it was removed meanwhile. */
  'export.completed': { exportId: string }
  'export.removed': { exportId: string }
  /** Docket has a copy of the bundle of an export, for the first time or again. */
  'bundle.stored': { exportId: string }
  'bundle.deleted': { exportId: string }
  /** A channel began to show a bundle. */
  'channel.published': { siteId: string; channelId: string; releaseId: string; sha256: string }
}

type Inside<Payload> = (tx: Tx, payload: Payload) => Promise<void>
type Later<Payload> = (payload: Payload) => Promise<unknown>
type Queued = { event: string; handler: string; payload: unknown }

/**
 * Lets higher areas react to events in lower ones. `on` handlers run in the emitting transaction: keep them short, such as writing a row or
 * a job; one that throws fails the transaction. `after` handlers run after the commit, in any process, at least once, until they succeed:
 * each is a pg-boss job that the transaction inserts itself. `wake` makes this process look for such jobs soon.
 */
export const createEventBus = ({ wake }: { wake: () => void }) => {
  const inside = new Map<string, Inside<never>[]>()
  const later = new Map<string, Map<string, Later<never>>>()

  const enqueue = async (tx: Tx, job: Queued) => {
    // Does what `send` of pg-boss does, but needs no queue opened by this process.
    const { rowCount } =
      await tx.execute(sql`insert into ${queues}.job (name, data, retry_limit, retry_delay, retry_backoff,
        retry_delay_max, expire_seconds, deletion_seconds, heartbeat_seconds)
      select name, ${JSON.stringify({ key: JSON.stringify(job) })}::jsonb, retry_limit, retry_delay, retry_backoff,
        retry_delay_max, expire_seconds, deletion_seconds, heartbeat_seconds
      from ${queues}.queue where name = ${eventQueue}`)
    if (rowCount !== 1) throw new Error(`The queue ${eventQueue} is missing. Start Docket again, which makes it.`)
  }

  return {
    on: <Name extends keyof EventPayloads>(event: Name, handle: Inside<EventPayloads[Name]>): void =>
      void inside.set(event, [...(inside.get(event) ?? []), handle]),
    /** `handler` names the handler in stored jobs, so it must not change between versions. */
    after: <Name extends keyof EventPayloads>(
      event: Name,
      handler: string,
      handle: Later<EventPayloads[Name]>,
    ): void => {
      const named = later.get(event) ?? new Map<string, Later<never>>()
      later.set(event, named.set(handler, handle))
    },
    emit: async <Name extends keyof EventPayloads>(
      tx: Tx,
      event: Name,
      payload: EventPayloads[Name],
    ): Promise<void> => {
      for (const handle of inside.get(event) ?? []) await handle(tx, payload as never)
      const handlers = [...(later.get(event)?.keys() ?? [])]
      for (const handler of handlers) await enqueue(tx, { event, handler, payload })
      if (handlers.length > 0) wake()
    },
    /** Runs the jobs of `after`. */
    work: {
      name: eventQueue,
      atOnce: 4,
      run: async (key) => {
        const { event, handler, payload } = JSON.parse(key) as Queued
        const handle = later.get(event)?.get(handler)
        // A later version that runs beside this one may have this handler.
        if (handle === undefined) throw new Error(`This version of Docket has no handler ${handler} of ${event}.`)
        await handle(payload as never)
      },
    } satisfies RecordWork,
  }
}

export type Events = ReturnType<typeof createEventBus>
