import type { BundleGrant } from '#admin-api/admin-api.ts'
import { storageRefusal } from './bundle-failures.ts'
import type { BundleFetch, StorageAnswer } from './bundle-fetch.ts'
import type { BundleLinks } from './bundle-links.ts'

/** Asks the storage for one bundle, with whatever link is good. */
export type BundleSource = (
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
