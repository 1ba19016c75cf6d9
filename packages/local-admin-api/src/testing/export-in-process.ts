import { failureReason } from '#files/disk-problem.ts'
import type { ExportEnd, startExportProcess } from '#static-exports/export-process.ts'
import { testExport } from '#static-exports/test-export.ts'
import { workOnExport } from '#static-exports/work-on-export.ts'

/** An export that this process works on. Once stopped it ends with its next report, and writes nothing afterwards. */
const startHere: typeof startExportProcess = (order, _, onProgress) => {
  const stopped = Promise.withResolvers<ExportEnd>()
  const never = new Promise<void>(() => {})
  let isStopped = false
  const work = workOnExport(order, async (report) => {
    if (isStopped) {
      stopped.resolve({ kind: 'stopped' })
      await never
    } else if (report.kind === 'progress') onProgress(report.progress, report.pageCount)
  }).then(
    (pageCount): ExportEnd => ({ kind: 'completed', pageCount }),
    (error: unknown): ExportEnd => ({ kind: 'failed', reason: failureReason(error) }),
  )
  return {
    ended: Promise.race([work, stopped.promise]),
    stop: () => {
      isStopped = true
    },
  }
}

/** Has this process work on its exports itself, which loads the parsers once and not for every export. */
export const exportInProcess = (): void => {
  testExport.current = startHere
}
