import { join } from 'node:path'
import { archiveSize, writeArchive } from '#bundles/archive.ts'
import type { BundleLinks } from '#bundles/bundle-links.ts'

/** A bundle link as §4.4 answers it, with what a public service adds. `bundleUrl` is a secret. */
export type MintedBundle = { bundleUrl: string; sizeBytes: number; expiresAt: string }

/** What a good link leads to. `breaksOff` makes the transfer stop half way. */
export type StoredObject = { file: string; breaksOff: boolean }

/** Object storage on the local disk: archives by job, and links that expire. */
export type BundleStore = {
  archiveOf(jobId: string): string
  /** Packs the site when its archive is missing (once, however many ask), and makes a new link. */
  mint(jobId: string, site: string, firstLink?: 'dead' | 'dies'): Promise<MintedBundle>
  /** Null when the link is not good. */
  open(path: string, query: URLSearchParams): Promise<StoredObject | null>
}

/** Storage under `folder`. `linkMs` is the lifetime of a link. */
export const bundleStore = (deps: {
  folder: string
  links: BundleLinks
  origin: () => string
  linkMs: number
  now: () => Date
}): BundleStore => {
  const { folder, links, origin, linkMs, now } = deps
  const packing = new Map<string, Promise<void>>()
  const minted = new Set<string>()
  const condemned = new Map<string, 'dead' | 'dies'>()
  const archiveOf = (jobId: string) => join(folder, jobId, 'bundle.tar.gz')

  const pack = async (jobId: string, site: string) => {
    const packed = packing.get(jobId) ?? writeArchive(site, archiveOf(jobId)).finally(() => packing.delete(jobId))
    packing.set(jobId, packed)
    await packed
  }

  return {
    archiveOf,
    mint: async (jobId, site, firstLink) => {
      if ((await archiveSize(archiveOf(jobId))) === null) await pack(jobId, site)
      const expires = Math.floor((now().getTime() + linkMs) / 1000)
      const path = links.sign(`/storage/bundles/${jobId}/bundle.tar.gz`, expires)
      if (firstLink && !minted.has(jobId)) condemned.set(path, firstLink)
      minted.add(jobId)
      return {
        bundleUrl: origin() + path,
        sizeBytes: (await archiveSize(archiveOf(jobId))) ?? 0,
        expiresAt: new Date(expires * 1000).toISOString(),
      }
    },
    open: async (path, query) => {
      if (!links.isGood(path, query, now())) return null
      const link = `${path}?${query.toString()}`
      const fate = condemned.get(link)
      if (fate === 'dead') return null
      if (fate === 'dies') condemned.set(link, 'dead')
      // The signature covers the path, so the id in it is one of ours.
      return { file: archiveOf(path.split('/')[3]!), breaksOff: fate === 'dies' }
    },
  }
}
