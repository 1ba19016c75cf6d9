import { auditService } from '#ground/audit/audit.service.ts'
import { auditSealing } from '#ground/audit/chain/sealing.ts'
import { refusals } from '#ground/audit/refusals.ts'
import { type Background, background } from '#ground/background/background.ts'
import { ticker } from '#ground/clock/ticks.ts'
import type { Ctx } from '#ground/ctx.ts'
import { eventQueue } from '#ground/db/boss.ts'
import { eventBus } from '#ground/events.ts'

/** What the areas above build on: they add their work before it begins. */
export type Ground = Ctx & {
  work: Pick<Background, 'add' | 'addRecords' | 'addWaiting' | 'request'>
  ticks: Pick<ReturnType<typeof ticker>, 'add'>
}

/** Events, work without a request, and the audit. */
export const openGround = ({
  db,
  now,
  log,
  auditRetentionDays,
}: Omit<Ctx, 'events'> & {
  /** Retention of the audit. Days. */
  auditRetentionDays: number
}) => {
  // The first requests of a start go before it.
  const work = background({ runSql: (text, values) => db.$client.query(text, values), log, afterMs: 1_000 })
  const events = eventBus({ wake: () => work.wakeSoon(eventQueue) })
  work.addRecords(events.work)
  const audit = auditService({ db, now, retentionDays: auditRetentionDays })
  const sealing = auditSealing({ db, log })
  work.add(
    { name: 'old-audit', cron: '47 3 * * *', run: audit.purge },
    { name: 'seal-audit', cron: '*/5 * * * *', often: true, run: sealing.run },
  )
  return { db, now, log, events, work, ticks: ticker(log), audit, sealing, refusals: refusals({ db, now, log }) }
}
