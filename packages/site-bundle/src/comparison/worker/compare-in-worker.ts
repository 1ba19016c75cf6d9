import { buffer } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import type { ComparableSite } from '#comparison/compare-sites.ts'
import type { SiteComparison } from '#comparison/site-comparison.ts'
import type { PageText } from '#comparison/words/compare-page.ts'
import type { Manifest, BundlePage } from '#manifest.ts'

export type Side = 'earlier' | 'later'

/** Task of a worker. A page that is missing on one side is null. */
export type Task =
  | { kind: 'sites' }
  | { kind: 'page'; pages: Record<Side, Pick<BundlePage, 'path' | 'sizeBytes'> | null> }

export type FromWorker =
  | { kind: 'manifest'; id: number; side: Side }
  | { kind: 'read'; id: number; side: Side; path: string; range: { start: number; end: number } | undefined }
  | { kind: 'done'; result: unknown }

export type ToWorker = { id: number; value: unknown }

/** Megabytes. */
const memoryMb = 1024

type Sites = Record<Side, ComparableSite>

/** Compares two stored sites in a thread of its own. Rejects when `signal` aborts, and with the error of a failed read; both end the thread. */
export const compareSitesInWorker = (sites: Sites, signal: AbortSignal): Promise<SiteComparison> =>
  runTask({ kind: 'sites' }, sites, signal) as Promise<SiteComparison>

export const comparePageInWorker = async (
  sites: Sites,
  paths: Record<Side, string | null>,
  signal: AbortSignal,
): Promise<PageText> => {
  const findPage = async (side: Side) => {
    if (paths[side] === null) return null
    const page = (await sites[side].manifest()).pages.find(({ path }) => path === paths[side])
    return page ? { path: page.path, sizeBytes: page.sizeBytes } : null
  }
  const pages = { earlier: await findPage('earlier'), later: await findPage('later') }
  return (await runTask({ kind: 'page', pages }, sites, signal)) as PageText
}

const runTask = (task: Task, sites: Sites, signal: AbortSignal): Promise<unknown> => {
  signal.throwIfAborted()
  const done = Promise.withResolvers<unknown>()
  const worker = new Worker(new URL('./compare-worker.ts', import.meta.url), {
    workerData: task,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  const answer = async (message: Exclude<FromWorker, { kind: 'done' }>) => {
    const value = await answerRead(sites[message.side], message)
    worker.postMessage({ id: message.id, value } satisfies ToWorker)
  }
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'done') done.resolve(message.result)
    else answer(message).catch(done.reject)
  })
  worker.on('error', (error) => done.reject(error))
  worker.on('exit', () => done.reject(new Error('The comparison ended without a result.')))
  const stop = () => done.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  return done.promise.finally(() => {
    signal.removeEventListener('abort', stop)
    return worker.terminate()
  })
}

const answerRead = async (
  site: ComparableSite,
  message: Exclude<FromWorker, { kind: 'done' }>,
): Promise<Manifest | Buffer> =>
  message.kind === 'manifest' ? site.manifest() : buffer(await site.read(message.path, message.range))
