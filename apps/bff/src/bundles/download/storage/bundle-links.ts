import { setTimeout as delay } from 'node:timers/promises'
import { oncePerKey } from '@docket/once'
import { LRUCache } from 'lru-cache'
import { withOwnDeadline } from '#ground/db/deadline.ts'
import type { BundleGrant } from '#service/admin-api/admin-api.ts'
import { AdminApiError } from '#ground/errors/app-error.ts'
import { toRefusalError } from './bundle-failures.ts'
import type { BundleFetch, StorageAnswer } from './bundle-fetch.ts'

type Job = { exportId: string; jobId: string }

/** Reuse window for links without an expiry. A refusal from storage renews the link earlier. */
const unknownLifeMs = 5 * 60_000
const marginMs = 30_000
const maxLinks = 1000
/** Waits for a bundle that the service is still making, within one click. Milliseconds. */
const notReadyPausesMs = [1_000, 2_000, 4_000, 8_000]

/** Links to bundles, in memory only, renewed before they expire. `generate` calls the service (Admin API §4.4), once per export at a time. */
export const createBundleLinks = (deps: {
  generate: (jobId: string) => Promise<BundleGrant>
  now: () => number
  pausesMs?: readonly number[] | undefined
}) => {
  const { generate, now, pausesMs = notReadyPausesMs } = deps
  const cache = new LRUCache<string, { grant: BundleGrant; goodUntil: number }>({ max: maxLinks })
  const once = oncePerKey<BundleGrant>()

  const generateWhenReady = async (jobId: string): Promise<BundleGrant> => {
    for (const pauseMs of pausesMs) {
      try {
        return await generate(jobId)
      } catch (error) {
        if (!(error instanceof AdminApiError) || error.code !== 'upstream_conflict') throw error
        await delay(error.retryAfterMs === null ? pauseMs : Math.min(error.retryAfterMs, 2 * pauseMs))
      }
    }
    return generate(jobId)
  }

  const mint = async ({ exportId, jobId }: Job): Promise<BundleGrant> => {
    const grant = await generateWhenReady(jobId)
    const madeAt = now()
    const lifeMs = grant.expiresAtMs === null ? unknownLifeMs : grant.expiresAtMs - madeAt
    // Uses most of the life of a short-lived link.
    const goodUntil = madeAt + lifeMs - Math.min(marginMs, lifeMs / 4)
    cache.set(exportId, { grant, goodUntil })
    return grant
  }

  const fresh = (job: Job): Promise<BundleGrant> => once.run(job.exportId, () => withOwnDeadline(() => mint(job)))

  const current = async (job: Job): Promise<BundleGrant> => {
    const known = cache.get(job.exportId)
    return known !== undefined && known.goodUntil > now() ? known.grant : fresh(job)
  }

  return {
    current,
    fresh,
    /** Replaces a link that the storage refuses, unless a concurrent request already renewed it. */
    renewed: (job: Job, dead: BundleGrant): Promise<BundleGrant> => {
      if (cache.get(job.exportId)?.grant.bundleUrl === dead.bundleUrl) cache.delete(job.exportId)
      return current(job)
    },
  }
}

type BundleSource = (
  job: { exportId: string; jobId: string },
  headers: Record<string, string>,
  signal: AbortSignal,
) => Promise<StorageAnswer>

// Status of an expired or revoked link; Google's storage sends 400.
const deadLink = new Set([400, 401, 403, 404, 410])
const useful = new Set([200, 206, 412, 416])

/** Replaces a refused link once, whatever its expiry. Returns 200, 206, 412 and 416; throws `upstream_*` for other statuses. */
export const createBundleSource =
  (links: ReturnType<typeof createBundleLinks>, fetch: Pick<BundleFetch, 'get'>): BundleSource =>
  async (job, headers, signal) => {
    const grant = await links.current(job)
    let answer = await fetch.get(grant.bundleUrl, headers, signal)
    if (deadLink.has(answer.status)) {
      discardBody(answer)
      answer = await fetch.get((await links.renewed(job, grant)).bundleUrl, headers, signal)
    }
    if (useful.has(answer.status)) return answer
    discardBody(answer)
    throw toRefusalError(answer.status)
  }

export const discardBody = ({ body }: StorageAnswer): void => body.destroy()
