import { sql } from 'drizzle-orm'
import type { RecordWork, Work } from '#ground/background/background.ts'
import type { Ctx } from '#ground/ctx.ts'
import { eventQueue } from '#ground/db/boss.ts'
import { createEventBus } from '#ground/events.ts'
import type { Ground } from '#ground/ground.ts'

/** The base that areas build on, without automatic work: a test runs work by name, and calls `tick` and `deliver`. */
export const testGround = ({ db, now, log }: Omit<Ctx, 'events'>) => {
  const events = createEventBus({ wake: () => {} })
  const works = new Map<string, Work>()
  const records = new Map<string, RecordWork>()
  const ticks: (() => Promise<unknown>)[] = []
  /** Records for which work was requested. */
  const requested: string[] = []
  const ground: Ground = {
    db,
    now,
    log,
    events,
    work: {
      add: (...added) => added.forEach((work) => works.set(work.name, work)),
      addRecords: (work) => void records.set(work.name, work),
      addWaiting: (work, list) => {
        records.set(work.name, work)
        return { request: async () => void requested.push(...(await list())), wake: () => {} }
      },
      request: () => Promise.resolve(),
    },
    ticks: { add: (_, run) => void ticks.push(run) },
  }
  return {
    ...ground,
    requested,
    run: (name: string) => works.get(name)!.run(),
    runRecord: (name: string, key: string, signal = new AbortController().signal) =>
      records.get(name)!.run(key, signal),
    tick: async () => {
      for (const run of ticks) await run()
    },
    /** Passes emitted and committed events to their `after` handlers. */
    deliver: async () => {
      const { rows } = await db.execute<{ key: string }>(
        sql`delete from pgboss.job where name = ${eventQueue} returning data ->> 'key' as key`,
      )
      for (const { key } of rows) await events.work.run(key)
    },
  }
}
