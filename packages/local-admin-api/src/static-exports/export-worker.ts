import module from 'node:module'
import { Worker } from 'node:worker_threads'
import { failureReason } from '#files/disk-problem.ts'
import type { ExportOrder, WorkerReport } from './export-process.ts'
import { workOnExport } from './work-on-export.ts'

const everyMs = 1_000
/** Memory outside the JavaScript heap, for files and compression. Megabytes. */
const besideHeapMb = 512

// Plain JavaScript: translating TypeScript in a thread would cost several times as much.
const watch = `
const { workerData: { parent, maxBytes, everyMs } } = require('node:worker_threads')
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGABRT')
}, everyMs)`

/** Ends this process with its parent, or when it uses far more memory than its heap allows, even while it is stuck in a loop. */
const endWithParent = (parent: number, memoryMb: number): void => {
  // Ends at once when the parent closes the channel. The thread covers all other cases within a second.
  process.on('disconnect', () => process.exit(1))
  const workerData = { parent, maxBytes: (memoryMb + besideHeapMb) * 1024 * 1024, everyMs }
  new Worker(watch, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref()
}

const [parent, memoryMb] = process.argv.slice(2).map(Number)

const sendReport = (message: WorkerReport) =>
  new Promise<void>((resolve) => {
    process.send?.(message, () => resolve())
  })

endWithParent(parent!, memoryMb!)
process.once('message', (order: ExportOrder) => {
  // This process ends by a signal, before Node would write it.
  module.flushCompileCache()
  workOnExport(order, sendReport)
    .then((pageCount) => sendReport({ kind: 'completed', pageCount }))
    .catch((error: unknown) => sendReport({ kind: 'failed', reason: failureReason(error) }))
    .finally(() => process.exit())
})
