import { Worker } from 'node:worker_threads'

/** How often it is looked. Milliseconds. */
const everyMs = 1_000
/** What a process may use beside its JavaScript heap, for files and compression. Megabytes. */
const besideHeapMb = 512

// Plain JavaScript: a thread that has to be translated first would cost several times as much.
const watch = `
const { workerData: { parent, maxBytes, everyMs } } = require('node:worker_threads')
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGABRT')
}, everyMs)`

/**
 * Ends this process when `parent`, who started it, is gone, and when it uses far more memory than its heap may have. A thread looks, so this holds
 * while the process is stuck in a loop that lets nothing else run.
 */
export const endWithParent = (parent: number, memoryMb: number): void => {
  // Whoever ordered the work is gone, so nobody wants it any more; this is noticed at once, the rest within a second.
  process.on('disconnect', () => process.exit(1))
  const workerData = { parent, maxBytes: (memoryMb + besideHeapMb) * 1024 * 1024, everyMs }
  new Worker(watch, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref()
}
