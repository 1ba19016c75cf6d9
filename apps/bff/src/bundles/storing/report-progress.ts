import type { StoringPhase } from '@docket/api-types/artifacts'
import { and, eq } from 'drizzle-orm'
import { artifacts } from '#bundles/artifacts/artifacts.table.ts'
import { type ExportRecords, isArtifact } from '#bundles/artifacts/artifacts.rows.ts'

import type { Database } from '#ground/db/database.ts'

const minGapMs = 1_000

/** Writes the progress of one bundle about once a second, each time with a new revision of the list. A failed write is skipped. */
export const createProgressReporter = (db: Database, exports: Pick<ExportRecords, 'countChange'>, exportId: string) => {
  let latest: { phase: StoringPhase; done: number; total: number | null } | null = null
  let writtenAt = -Infinity
  let writing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const write = async () => {
    timer = undefined
    writtenAt = performance.now()
    const set = latest
    if (set === null) return
    await db.transaction(async (tx) => {
      const changed = await tx
        .update(artifacts)
        .set(set)
        .where(and(isArtifact(exportId), eq(artifacts.state, 'storing')))
        .returning({ exportId: artifacts.exportId })
      if (changed.length > 0) await exports.countChange(tx, [exportId])
    })
  }
  const writeSoon = () => {
    timer ??= setTimeout(
      () => {
        writing = writing.then(write).catch(() => {})
      },
      Math.max(0, writtenAt + minGapMs - performance.now()),
    )
  }
  return {
    report: (phase: StoringPhase, done: number, total: number | null) => {
      latest = { phase, done, total }
      writeSoon()
    },
    /** Writes the latest progress again, because progress from before the export was listed is lost. */
    again: writeSoon,
    /** Waits for a write in progress, and writes no more. */
    [Symbol.asyncDispose]: async () => {
      clearTimeout(timer)
      await writing
    },
  }
}
