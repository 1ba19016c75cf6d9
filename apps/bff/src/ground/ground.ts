import { setTimeout as delay } from 'node:timers/promises'
import { purgeAudit } from '#ground/audit/purge.ts'
import { createAuditSealing, type PrintSealed } from '#ground/audit/seal.ts'
import { createRefusalAudit } from '#ground/audit/refusals.ts'
import { type Background, createBackground } from '#ground/background/background.ts'
import type { Ctx } from '#ground/ctx.ts'
import { eventQueue } from '#ground/db/boss.ts'
import { createEventBus } from '#ground/events.ts'
import type { Log } from '#ground/log/log.ts'

const tickMs = 2_000

/**
 * Calls work of this process again and again from `start` to `stop`, however often it fails. Each call waits until the previous one has
 * ended.
 */
const createTicker = (log: Log) => {
  const jobs: { every: number; run: () => Promise<unknown> }[] = []
  const stopping = new AbortController()
  let ticking: Promise<void> | undefined

  const keepTicking = async () => {
    for (let tick = 0; !stopping.signal.aborted; tick += 1) {
      const due = jobs.filter(({ every }) => tick % every === 0)
      for (const outcome of await Promise.allSettled(due.map(({ run }) => run())))
        if (outcome.status === 'rejected') log.debug({ err: outcome.reason }, 'work of a tick failed')
      await delay(tickMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }

  return {
    /** `seconds` between two calls, even. */
    add: (seconds: number, run: () => Promise<unknown>): void => void jobs.push({ every: seconds / 2, run }),
    start: (): void => void (ticking ??= keepTicking()),
    stop: async (): Promise<void> => {
      stopping.abort()
      await ticking
    },
  }
}

/** Base of the higher areas. They register their work before `start`. */
export type Ground = Ctx & {
  work: Pick<Background, 'add' | 'addRecords' | 'addWaiting' | 'request'>
  ticks: Pick<ReturnType<typeof createTicker>, 'add'>
}

export const openGround = ({
  db,
  now,
  log,
  auditRetentionDays,
  printAudit,
}: Omit<Ctx, 'events'> & {
  auditRetentionDays: number
  printAudit?: PrintSealed | undefined
}) => {
  // It starts late, so that the first requests after a start are served first.
  const work = createBackground({ runSql: (text, values) => db.$client.query(text, values), log, afterMs: 1_000 })
  const events = createEventBus({ wake: () => work.wakeSoon(eventQueue) })
  work.addRecords(events.work)
  const sealing = createAuditSealing({ db, log, print: printAudit })
  work.add(
    { name: 'old-audit', cron: '47 3 * * *', run: () => purgeAudit(db, now(), auditRetentionDays) },
    { name: 'seal-audit', cron: '*/5 * * * *', often: true, run: sealing.run },
  )
  return {
    db,
    now,
    log,
    events,
    work,
    ticks: createTicker(log),
    sealing,
    refusals: createRefusalAudit({ db, now, log }),
  }
}
