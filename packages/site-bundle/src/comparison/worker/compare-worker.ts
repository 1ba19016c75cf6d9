import { Readable } from 'node:stream'
import { parentPort, workerData } from 'node:worker_threads'
import { compareSites } from '#comparison/compare-sites.ts'
import { comparePageText } from '#comparison/words/compare-page.ts'
import type { Manifest } from '#manifest.ts'
import type { FromWorker, Side, Task, ToWorker } from './compare-in-worker.ts'

const port = parentPort!
const waiting = new Map<number, PromiseWithResolvers<unknown>>()
let lastId = 0

port.on('message', (answer: ToWorker) => {
  const read = waiting.get(answer.id)
  waiting.delete(answer.id)
  read?.resolve(answer.value)
})

const askParent = (message: FromWorker & { id: number }): Promise<unknown> => {
  const read = Promise.withResolvers<unknown>()
  waiting.set(message.id, read)
  port.postMessage(message)
  return read.promise
}

const openRemote = (side: Side) => ({
  manifest: async () => (await askParent({ kind: 'manifest', id: ++lastId, side })) as Manifest,
  read: async (path: string, range?: { start: number; end: number }) =>
    Readable.from([await askParent({ kind: 'read', id: ++lastId, side, path, range })]),
})

const runTask = (task: Task) => {
  const sites = { earlier: openRemote('earlier'), later: openRemote('later') }
  // The other thread ends this one when no result is wanted any more.
  const { signal } = new AbortController()
  if (task.kind === 'sites') return compareSites(sites.earlier, sites.later, signal)
  const pageIn = (side: Side) => {
    const page = task.pages[side]
    return page && { site: sites[side], page }
  }
  return comparePageText(pageIn('earlier'), pageIn('later'), signal)
}

port.postMessage({ kind: 'done', result: await runTask(workerData as Task) } satisfies FromWorker)
port.close()
