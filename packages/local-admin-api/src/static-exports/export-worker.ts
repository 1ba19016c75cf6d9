import module from 'node:module'
import { failureReason } from '#files/disk-problem.ts'
import { endWithParent } from '#static-exports/end-with-parent.ts'
import type { ExportOrder, WorkerReport } from './export-process.ts'
import { workOnExport } from './work-on-export.ts'

const [parent, memoryMb] = process.argv.slice(2).map(Number)

const report = (message: WorkerReport) =>
  new Promise<void>((resolve) => {
    process.send?.(message, () => resolve())
  })

endWithParent(parent!, memoryMb!)
process.once('message', (order: ExportOrder) => {
  // This process ends by a signal, before Node would write it.
  module.flushCompileCache()
  workOnExport(order, report)
    .then((pageCount) => report({ kind: 'completed', pageCount }))
    .catch((error: unknown) => report({ kind: 'failed', reason: failureReason(error) }))
    .finally(() => process.exit())
})
