import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import type { SiteFile, StoredSite } from '@docket/site-bundle/open-site'
import { isPage } from '@docket/site-bundle/locator/page-address'
import { createOpenedSites, type ServedAddress } from '@docket/site-bundle/serve/opened-sites'
import type { FileResponse } from '@docket/site-bundle/serve/respond'
import { LRUCache } from 'lru-cache'

/** `address` is encoded, and `query` is what follows its `?`. Without `host`, rules that redirect to their own host do so. */
export type AskedAddress = { address: string; query: string; host?: string }

export type FoundAddress = { sha256: string; located: ServedAddress }

/** Bundles with an open directory, addresses that were looked up, and bytes of small files in memory. */
const maxSites = 64
const maxAddresses = 5_000
const maxCachedBytes = 16 * 1024 ** 2
/** Larger files are streamed from the store. */
const maxSmallBytes = 256 * 1024
/** Node joins a text and its headers into one piece of up to 16 KiB, which costs less than sending a buffer beside them. */
const maxTextBytes = 12 * 1024

const toFile = (located: ServedAddress): SiteFile | null =>
  located.kind === 'file' && located.status === 200 && located.isByRule !== true ? located.file : null

/** Reads the files of hosted releases. What it keeps in memory is bounded. */
export const createHostedFiles = (open: (sha256: string) => StoredSite | Promise<StoredSite>) => {
  const openSite = createOpenedSites(open, maxSites)
  const addresses = new LRUCache<string, ServedAddress>({ max: maxAddresses })
  const contents = new LRUCache<string, Buffer | string>({
    maxSize: maxCachedBytes,
    sizeCalculation: (bytes) => bytes.length + 200,
  })

  const find = async (sha256: string, { address, query, host = '' }: AskedAddress): Promise<FoundAddress> => {
    const key = `${sha256}${host}${address}${query === '' ? '' : `?${query}`}`
    const known = addresses.get(key)
    if (known !== undefined) return { sha256, located: known }
    const { locate } = await openSite(sha256)
    const located = await locate(address, query, host)
    if (key.length < 500) addresses.set(key, located)
    return { sha256, located }
  }
  const readSmall = async (sha256: string, { path }: SiteFile, isEncoded: boolean): Promise<Buffer | string> => {
    const key = `${isEncoded ? 'gzip' : 'plain'} ${sha256} ${path}`
    const known = contents.get(key)
    if (known !== undefined) return known
    const { site } = await openSite(sha256)
    const bytes = await buffer(isEncoded ? await site.readEncoded(path) : await site.read(path))
    const content = bytes.length > maxTextBytes ? bytes : bytes.toString('latin1')
    contents.set(key, content)
    return content
  }

  return {
    find,
    /** The first of several bundles in which an address is a matching file other than a page. Null when none has it. */
    findFile: async (
      bundles: readonly string[],
      asked: AskedAddress,
      fits: (file: SiteFile) => boolean,
    ): Promise<FoundAddress | null> => {
      for (const sha256 of bundles) {
        const found = await find(sha256, asked)
        const file = toFile(found.located)
        if (file !== null && !isPage(file) && fits(file)) return found
      }
      return null
    },
    /** True while the bundles that have a file at an address have the same one. */
    isSame: async (bundles: readonly string[], asked: AskedAddress, file: SiteFile): Promise<boolean> => {
      for (const sha256 of bundles) {
        const other = toFile((await find(sha256, asked)).located)
        if (other !== null && other.sha256 !== file.sha256) return false
      }
      return true
    },
    /** A string has one byte in each character, as in `latin1`. */
    read: async (
      sha256: string,
      file: SiteFile,
      body: Exclude<FileResponse['body'], 'none'>,
    ): Promise<Buffer | string | Readable> => {
      const isEncoded = body === 'encoded'
      if (file.sizeBytes <= maxSmallBytes) {
        const content = await readSmall(sha256, file, isEncoded)
        if (isEncoded) return content
        const { start, end } = body
        return typeof content === 'string' ? content.slice(start, end + 1) : content.subarray(start, end + 1)
      }
      const { site } = await openSite(sha256)
      return isEncoded ? site.readEncoded(file.path) : site.read(file.path, body)
    },
  }
}

export type HostedFiles = ReturnType<typeof createHostedFiles>
