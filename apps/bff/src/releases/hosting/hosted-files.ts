import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import type { SiteFile, StoredSite } from '@docket/site-bundle/open-site'
import { locateAddress, type Located } from '@docket/site-bundle/serve/locate'
import { createOpenedSites } from '@docket/site-bundle/serve/opened-sites'
import type { FileResponse } from '@docket/site-bundle/serve/respond'
import { LRUCache } from 'lru-cache'

export type FoundAddress = { sha256: string; located: Located }

/** Bundles with an open directory, addresses that were looked up, and bytes of small files in memory. */
const maxSites = 64
const maxAddresses = 5_000
const maxCachedBytes = 16 * 1024 ** 2
/** Larger files are streamed from the store. */
const maxSmallBytes = 256 * 1024

const toFile = (located: Located): SiteFile | null =>
  located.kind === 'file' && located.status === 200 ? located.file : null

/** Reads the files of hosted releases. What it keeps in memory is bounded. */
export const createHostedFiles = (open: (sha256: string) => StoredSite | Promise<StoredSite>) => {
  const openSite = createOpenedSites(open, maxSites)
  const addresses = new LRUCache<string, Located>({ max: maxAddresses })
  const contents = new LRUCache<string, Buffer>({
    maxSize: maxCachedBytes,
    sizeCalculation: (bytes) => bytes.length + 200,
  })

  const find = async (sha256: string, address: string): Promise<FoundAddress> => {
    const key = sha256 + address
    const known = addresses.get(key)
    if (known !== undefined) return { sha256, located: known }
    const { site, rules } = await openSite(sha256)
    const located = await locateAddress(site, rules, address)
    if (key.length < 500) addresses.set(key, located)
    return { sha256, located }
  }
  const readSmall = async (sha256: string, { path }: SiteFile, isEncoded: boolean): Promise<Buffer> => {
    const key = `${isEncoded ? 'gzip' : 'plain'} ${sha256} ${path}`
    const known = contents.get(key)
    if (known !== undefined) return known
    const { site } = await openSite(sha256)
    const bytes = await buffer(isEncoded ? await site.readEncoded(path) : await site.read(path))
    contents.set(key, bytes)
    return bytes
  }

  return {
    find,
    /** The first of several bundles in which an address is a matching file other than a page. Null when none has it. */
    findFile: async (
      bundles: readonly string[],
      address: string,
      fits: (file: SiteFile) => boolean,
    ): Promise<FoundAddress | null> => {
      for (const sha256 of bundles) {
        const found = await find(sha256, address)
        const file = toFile(found.located)
        if (file !== null && !isPage(file) && fits(file)) return found
      }
      return null
    },
    /** True while the bundles that have a file at an address have the same one. */
    isSame: async (bundles: readonly string[], address: string, file: SiteFile): Promise<boolean> => {
      for (const sha256 of bundles) {
        const other = toFile((await find(sha256, address)).located)
        if (other !== null && other.sha256 !== file.sha256) return false
      }
      return true
    },
    read: async (
      sha256: string,
      file: SiteFile,
      body: Exclude<FileResponse['body'], 'none'>,
    ): Promise<Buffer | Readable> => {
      const isEncoded = body === 'encoded'
      if (file.sizeBytes <= maxSmallBytes) {
        const bytes = await readSmall(sha256, file, isEncoded)
        return isEncoded ? bytes : bytes.subarray(body.start, body.end + 1)
      }
      const { site } = await openSite(sha256)
      return isEncoded ? site.readEncoded(file.path) : site.read(file.path, body)
    },
  }
}

/** True for a file that browsers show as a page. */
export const isPage = ({ type }: SiteFile): boolean => /^(?:text\/html|application\/xhtml\+xml)\b/.test(type)

export type HostedFiles = ReturnType<typeof createHostedFiles>
