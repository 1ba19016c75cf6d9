import { failureReason } from '#files/disk-problem.ts'
import type { ExportEnd, StartExport } from '#static-exports/export-process.ts'
import { workOnExport } from '#static-exports/work-on-export.ts'

/** Exports in this process, so that the parsers load once. A stopped one ends with its next report, and writes nothing more. */
export const exportInProcess: StartExport = (order, _, onProgress) => {
  const silent = Promise.withResolvers<ExportEnd>()
  let isStopped = false
  const work = workOnExport(order, async (report) => {
    // A worker that only reports that it is alive may wait forever.
    if (isStopped && report.kind === 'alive') silent.resolve({ kind: 'stopped' })
    if (isStopped) throw new Error('stopped')
    if (report.kind === 'progress') onProgress(report.progress, report.pageCount)
  }).then(
    (pageCount): ExportEnd => ({ kind: 'completed', pageCount }),
    (error: unknown): ExportEnd => (isStopped ? { kind: 'stopped' } : { kind: 'failed', reason: failureReason(error) }),
  )
  return {
    ended: Promise.race([work, silent.promise]),
    stop: () => {
      isStopped = true
    },
  }
}
