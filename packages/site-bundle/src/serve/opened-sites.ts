import { LRUCache } from 'lru-cache'
import type { StoredSite } from '#open-site.ts'
import type { SiteRules } from './locate.ts'

export type OpenedSite = { site: StoredSite; rules: SiteRules }

/** Keeps the last `max` sites open. A site that failed to open is tried again. */
export const createOpenedSites = (open: (sha256: string) => StoredSite | Promise<StoredSite>, max: number) => {
  const sites = new LRUCache<string, Promise<OpenedSite>>({ max })
  return (sha256: string): Promise<OpenedSite> => {
    const known = sites.get(sha256)
    if (known !== undefined) return known
    const opening = (async () => {
      const site = await open(sha256)
      const { root, redirects } = await site.manifest()
      return { site, rules: { root, redirects } }
    })()
    sites.set(sha256, opening)
    opening.catch(() => sites.delete(sha256))
    return opening
  }
}
