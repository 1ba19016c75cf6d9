import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { ChangeCounts } from '@docket/api-types/artifacts'
import type { ObjectStorage } from '@docket/artifact-store/object-storage'
import type { SiteComparison } from '@docket/site-bundle/comparison/site-comparison'
import { compareSitesInWorker } from '@docket/site-bundle/comparison/worker/compare-in-worker'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { inTurnPerKey, oncePerKey } from '@docket/once'
import { explainStoreFailures } from '#bundles/artifacts/store-failures.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Log } from '#ground/log/log.ts'

const maxMs = 600_000
const maxBytes = 256 * 1024 ** 2

type ComparedBundle = { sha256: string; site: StoredSite }

const unchanged: SiteComparison = {
  version: 1,
  counts: { added: 0, removed: 0, changed: 0, moved: 0 },
  shared: [],
  files: { added: 0, removed: 0, changed: 0 },
  unread: 0,
  pages: [],
}

const toComparisonKey = (earlier: string, later: string) => `comparisons/${earlier}-${later}.json.gz`

/** Runs one comparison at a time, in a thread. Concurrent callers share it. Two processes that begin together write the same result. */
export const createComparisonKeeper = (deps: {
  storage: Pick<ObjectStorage, 'put' | 'read'>
  openFolder: (name: string) => Promise<{ path: string } & AsyncDisposable>
  log: Log
}) => {
  const { storage, openFolder, log } = deps
  const once = oncePerKey<SiteComparison>()
  const stopping = new AbortController()
  const inTurn = inTurnPerKey()

  const readKept = async (key: string): Promise<SiteComparison | null> => {
    const content = await explainStoreFailures(storage.read(key))
    if (content === null) return null
    try {
      const json = await promisify(gunzip)(await buffer(content), { maxOutputLength: maxBytes })
      const kept = JSON.parse(json.toString()) as SiteComparison
      return kept.version === unchanged.version ? kept : null
    } catch (error) {
      log.warn({ err: error, key }, 'a stored comparison is damaged and is made again')
      return null
    }
  }
  const keep = async (key: string, name: string, comparison: SiteComparison) => {
    await using folder = await openFolder(name)
    const file = join(folder.path, 'comparison.json.gz')
    await writeFile(file, await promisify(gzip)(JSON.stringify(comparison)))
    await storage.put(key, file)
  }
  const compare = async (earlier: ComparedBundle, later: ComparedBundle): Promise<SiteComparison> => {
    const timeout = AbortSignal.timeout(maxMs)
    const sites = { earlier: earlier.site, later: later.site }
    const comparing = compareSitesInWorker(sites, AbortSignal.any([stopping.signal, timeout]))
    return explainStoreFailures(comparing).catch((error: unknown) => {
      if (!timeout.aborted) throw error
      throw new AppError('busy', 'Docket stopped this comparison after 10 minutes. Try again when it has less to do.', {
        cause: error,
      })
    })
  }
  /** Reads the comparison of two bundles from the store, or makes it and keeps it there. */
  const load = (earlier: ComparedBundle, later: ComparedBundle): Promise<SiteComparison> => {
    if (earlier.sha256 === later.sha256) return Promise.resolve(unchanged)
    const name = `${earlier.sha256}-${later.sha256}`
    const key = toComparisonKey(earlier.sha256, later.sha256)
    return once.run(
      name,
      async () =>
        (await readKept(key)) ??
        inTurn('sites', async () => {
          const comparison = await compare(earlier, later)
          // The caller gets the comparison even if the disk is full.
          await keep(key, name, comparison).catch((error: unknown) =>
            log.warn({ err: error, key }, 'a comparison was not kept'),
          )
          return comparison
        }),
    )
  }

  return {
    load,
    /** Reads a comparison from the store; null when there is none. */
    findKept: ({ sha256 }: Pick<ComparedBundle, 'sha256'>, later: Pick<ComparedBundle, 'sha256'>) =>
      readKept(toComparisonKey(sha256, later.sha256)),
    /** Counts the pages that differ between two stored sites, and keeps the comparison. Rejects with the reason of `signal`. */
    countChanges: async (earlier: StoredSite, later: StoredSite, signal: AbortSignal): Promise<ChangeCounts> => {
      const open = async (site: StoredSite) => ({ sha256: (await site.manifest()).sha256, site })
      const bundles = [await open(earlier), await open(later)] as const
      signal.throwIfAborted()
      return (await awaitUnlessAborted(load(...bundles), signal)).counts
    },
    /** Counts the pages that differ if a comparison is stored. Otherwise starts one and returns null. */
    countKnown:
      (open: (sha256: string) => StoredSite) =>
      async (earlier: string, later: string): Promise<ChangeCounts | null> => {
        const kept = await readKept(toComparisonKey(earlier, later))
        if (kept !== null) return kept.counts
        const loading = load({ sha256: earlier, site: open(earlier) }, { sha256: later, site: open(later) })
        loading.catch((error: unknown) => log.debug({ err: error }, 'two bundles are compared when somebody looks'))
        return null
      },
    stop: () => stopping.abort(new AppError('busy', 'Docket is shutting down. Try again in a moment.')),
  }
}

export type ComparisonKeeper = ReturnType<typeof createComparisonKeeper>

/** Stops waiting when `signal` aborts, but does not stop the work, which others may wait for. */
const awaitUnlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const aborted = Promise.withResolvers<never>()
  const stop = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', stop))
}
