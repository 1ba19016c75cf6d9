import { withOwnDeadline } from '#db/deadline.ts'
import type { BundleGrant } from '#admin-api/admin-api.ts'
import { storageRefusal } from './bundle-failures.ts'
import type { BundleFetch, StorageAnswer } from './bundle-fetch.ts'

/** Links to bundles, kept in memory only, and renewed before they die. At most one is being made per export. */
export type BundleLinks = {
  /** One that is still good, or a new one. */
  current: (job: Job) => Promise<BundleGrant>
  /** A new one. */
  fresh: (job: Job) => Promise<BundleGrant>
  /** One in place of a link the storage no longer takes; a new one unless somebody renewed it already. */
  renewed: (job: Job, dead: BundleGrant) => Promise<BundleGrant>
}

type Job = { exportId: string; jobId: string }

/** How long a link is used that does not say when it dies; the storage may refuse it earlier, and then it is renewed. */
const unknownLifeMs = 5 * 60_000
const marginMs = 30_000
const mostKept = 1000

/** `generate` asks the service (Admin API §4.4); its failures are passed on. */
export const bundleLinks = (deps: {
  generate: (jobId: string) => Promise<BundleGrant>
  now: () => number
}): BundleLinks => {
  const { generate, now } = deps
  const kept = new Map<string, { grant: BundleGrant; goodUntil: number }>()
  const underWay = new Map<string, Promise<BundleGrant>>()

  const mint = async ({ exportId, jobId }: Job): Promise<BundleGrant> => {
    const grant = await generate(jobId)
    const madeAt = now()
    const lifeMs = grant.expiresAtMs === null ? unknownLifeMs : grant.expiresAtMs - madeAt
    // Of a link that lives shortly, most of its life is used.
    const goodUntil = madeAt + lifeMs - Math.min(marginMs, lifeMs / 4)
    kept.delete(exportId)
    kept.set(exportId, { grant, goodUntil })
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    return grant
  }

  const fresh = (job: Job): Promise<BundleGrant> => {
    const running =
      underWay.get(job.exportId) ?? withOwnDeadline(() => mint(job)).finally(() => underWay.delete(job.exportId))
    underWay.set(job.exportId, running)
    return running
  }

  const current = async (job: Job): Promise<BundleGrant> => {
    const known = kept.get(job.exportId)
    return known !== undefined && known.goodUntil > now() ? known.grant : fresh(job)
  }

  return {
    current,
    fresh,
    renewed: (job, dead) => {
      if (kept.get(job.exportId)?.grant.bundleUrl === dead.bundleUrl) kept.delete(job.exportId)
      return current(job)
    },
  }
}

/** Asks the storage for one bundle, with whatever link is good. */
type BundleSource = (
  job: { exportId: string; jobId: string },
  headers: Record<string, string>,
  signal: AbortSignal,
) => Promise<{ answer: StorageAnswer; grant: BundleGrant }>

// What stores answer to an expired or revoked link; Google's says 400.
const deadLink = new Set([400, 401, 403, 404, 410])
const useful = new Set([200, 206, 412, 416])

/**
 * A link the storage no longer takes is replaced once, whatever its stated expiry; a new one that is refused too is an error.
 * Only 200, 206, 412 and 416 are answered; every other status throws its `upstream_*` failure.
 */
export const bundleSource =
  (links: BundleLinks, fetch: Pick<BundleFetch, 'get'>): BundleSource =>
  async (job, headers, signal) => {
    const ask = async (grant: BundleGrant) => ({ grant, answer: await fetch.get(grant.bundleUrl, headers, signal) })
    let asked = await ask(await links.current(job))
    if (deadLink.has(asked.answer.status)) {
      discard(asked.answer)
      asked = await ask(await links.renewed(job, asked.grant))
    }
    if (useful.has(asked.answer.status)) return asked
    discard(asked.answer)
    throw storageRefusal(asked.answer.status)
  }

/** Drops an answer whose body nobody wants. */
export const discard = ({ body }: StorageAnswer): void => body.destroy()
