import { rmSync } from 'node:fs'
import { makeBackup } from '#process/backup/make-backup.ts'
import { removeStaging } from '#process/backup/data-files.ts'
import { describeFailure } from '#ground/log/failure.ts'
import type { BackupOrder, BackupOutcome } from './order-backup.ts'

// Makes one backup for the parent process, then exits. Only the parent has the settings.

/** Errors whose messages are meant for operators. */
const forOperators = new Set(['BackupRefused', 'DatabaseUnreachable', 'DatabaseForbids', 'EmbeddedPostgresUnavailable'])
const full = new Set(['ENOSPC', 'EDQUOT'])

const explainFailure = (error: unknown): BackupOutcome => {
  const detail = describeFailure(error)
  if (error instanceof Error && 'code' in error && full.has(String(error.code)))
    return { reason: 'The disk of DATA_DIR is full. Free some space.', detail }
  const isKnown = error instanceof Error && forOperators.has(error.name)
  return { reason: isKnown ? error.message : 'The backup could not be made. The log says why.', detail }
}

process.once('message', (order: BackupOrder) => {
  const leave = () => {
    removeStaging(order.place.dataDir)
    rmSync(`${order.file}.unfinished`, { force: true })
    process.exit(1)
  }
  process.once('disconnect', leave)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, leave)
  void makeBackup({ ...order, now: Date.now })
    .then(
      (): BackupOutcome => ({ reason: null }),
      (error: unknown) => explainFailure(error),
    )
    .then((outcome) => {
      process.off('disconnect', leave)
      process.send?.(outcome, () => process.exit(0))
    })
})
