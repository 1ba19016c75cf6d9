import { LRUCache } from 'lru-cache'
import { createManifestLocator, type Located, type SiteLocator } from '#locator/locator.ts'
import type { SiteFile, StoredSite } from '#open-site.ts'

/** `headers` are those that the bundle wants for the address. */
export type ServedAddress =
  | Exclude<Located, { kind: 'file' }>
  | (Omit<Extract<Located, { kind: 'file' }>, 'path'> & { file: SiteFile; headers: Readonly<Record<string, string>> })

export type OpenedSite = Pick<SiteLocator, 'resolve' | 'findAddress'> & {
  site: StoredSite
  files: number
  locate: (address: string, query: string, host?: string) => Promise<ServedAddress>
}

/** Files of all open sites together. */
const maxFiles = 400_000

const openSite = async (site: StoredSite): Promise<OpenedSite> => {
  const manifest = await site.manifest()
  const { resolve, findAddress, findHeaders } = createManifestLocator(manifest)
  const locate = async (address: string, query: string, host?: string): Promise<ServedAddress> => {
    const located = resolve(address, { query, host })
    if (located.kind !== 'file') return located
    const { path, ...rest } = located
    const file = await site.find(path)
    if (file === null) return { kind: 'not_found', status: 404 }
    return { ...rest, file, headers: findHeaders(address) }
  }
  return { site, files: manifest.files.length, resolve, findAddress, locate }
}

/** Keeps the last `max` sites open. A site that failed to open is tried again. */
export const createOpenedSites = (open: (sha256: string) => StoredSite | Promise<StoredSite>, max: number) => {
  const sites = new LRUCache<string, OpenedSite>({
    max,
    maxSize: maxFiles,
    sizeCalculation: ({ files }) => files + 1,
    fetchMethod: async (sha256) => openSite(await open(sha256)),
    // A site that is no longer kept still answers those who wait for it.
    ignoreFetchAbort: true,
  })
  return async (sha256: string): Promise<OpenedSite> => sites.get(sha256) ?? (await sites.forceFetch(sha256))
}
