import { Worker } from 'node:worker_threads'

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

/**
 * Ends this process when `parent` is gone, or when it uses far more memory than its heap may have. A thread watches, so that it works
 * even while the process is stuck in a loop.
 */
export const endWithParent = (parent: number, memoryMb: number): void => {
  // Ends at once when the parent closes the channel. The thread covers all other cases within a second.
  process.on('disconnect', () => process.exit(1))
  const workerData = { parent, maxBytes: (memoryMb + besideHeapMb) * 1024 * 1024, everyMs }
  new Worker(watch, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref()
}
