import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { StorageFailed, type ByteRange, type ObjectStorage } from '@docket/artifact-store/object-storage'
import { LRUCache } from 'lru-cache'
import { gzipOverheadBytes, readContent, readGzip, readZipDirectory, type ZipEntry } from '#archive/zip-content.ts'
import { listArtifactKeys } from './artifact-keys.ts'
import type { BundleFile, Manifest } from './manifest.ts'
import { parseJson } from './parse-json.ts'
import type { Report } from './report.ts'

export type SiteFile = BundleFile & {
  /** The content as it is stored: `gzip` when it can be sent with `Content-Encoding: gzip` without compressing it. */
  encoding: 'identity' | 'gzip'
  /** Bytes of `encoding`. */
  encodedBytes: number
}

/** Its objects are shared, so they must not be changed. */
export type StoredSite = {
  manifest(): Promise<Manifest>
  report(): Promise<Report>
  /** Null for a path that is not in the bundle. */
  find(path: string): Promise<SiteFile | null>
  /** Decoded content from `start` to `end`, both included. A read of the whole fails at its end when it is damaged. */
  read(path: string, range?: ByteRange): Promise<Readable>
  readEncoded(path: string): Promise<Readable>
}

/** Objects of the bundle are missing from the store, so it has to be stored again. */
export class SiteMissing extends StorageFailed {
  override readonly name = 'SiteMissing'
}

/** Opens a stored bundle without reading anything yet. `read` of a path that `find` does not know rejects with `TypeError`. */
export const openSite = (storage: ObjectStorage, sha256: string): StoredSite => {
  const keys = listArtifactKeys(sha256)
  const zip = { storage, key: keys.zip }
  const manifest = () => loadOnce(storage, keys.manifest, () => readJson<Manifest>(storage, keys.manifest))
  const files = () =>
    loadOnce(storage, keys.zip, async () => {
      const [entries, { files: listed }] = await Promise.all([readZipDirectory(storage, keys.zip), manifest()])
      if (entries === null) throw createSiteMissing()
      return withSize(new Map(listed.map((file) => [file.path, toStoredFile(file, entries.get(file.path))])))
    })
  const open = async (path: string) => {
    const found = (await files()).get(path)
    if (found === undefined) throw new TypeError('The bundle has no such file')
    return found
  }
  return {
    manifest,
    report: () => loadOnce(storage, keys.report, () => readJson<Report>(storage, keys.report)),
    find: async (path) => (await files()).get(path)?.file ?? null,
    read: async (path, range) => readContent(zip, (await open(path)).entry, range),
    readEncoded: async (path) => {
      const { file, entry } = await open(path)
      return file.encoding === 'gzip' ? readGzip(zip, entry) : readContent(zip, entry)
    },
  }
}

type StoredFile = { file: SiteFile; entry: ZipEntry }

const createSiteMissing = () => new SiteMissing('The stored bundle is gone from the storage.')

const toStoredFile = (file: Manifest['files'][number], entry: ZipEntry | undefined): StoredFile => {
  if (entry?.sizeBytes !== file.sizeBytes)
    throw new StorageFailed('The files of the stored bundle differ from what its manifest says.')
  const encoded = entry.isStored
    ? { encoding: 'identity' as const, encodedBytes: file.sizeBytes }
    : { encoding: 'gzip' as const, encodedBytes: entry.compressedBytes + gzipOverheadBytes }
  return { file: { ...file, ...encoded }, entry }
}

type Sized<T> = { value: T; bytes: number }

const withSize = (files: Map<string, StoredFile>): Sized<Map<string, StoredFile>> => ({
  value: files,
  bytes: files.size * 600,
})

const maxJsonBytes = 512 * 1024 ** 2

const readJson = async <T extends { version: 1 }>(storage: ObjectStorage, key: string): Promise<Sized<T>> => {
  const content = await storage.read(key)
  if (content === null) throw createSiteMissing()
  const json = await promisify(gunzip)(await buffer(content), { maxOutputLength: maxJsonBytes }).catch(() => null)
  const value = json === null ? null : parseJson(json.toString())
  if (json === null || typeof value !== 'object' || value === null || !('version' in value) || value.version !== 1)
    throw new StorageFailed('What Docket stored about the bundle is damaged.')
  // Only Docket writes this file, and gzip has checked that it is complete.
  return { value: value as T, bytes: json.length * 2 }
}

/** What is known of stored bundles, by key. Bytes, and milliseconds after which it is read again, because a check may have been repeated. */
const maxCachedBytes = 128 * 1024 ** 2
const maxAgeMs = 60_000
type Load = () => Promise<Sized<unknown>>
const caches = new WeakMap<ObjectStorage, LRUCache<string, Sized<unknown>, Load>>()

/** Concurrent readers share one load. Keeps the most recently used values. */
const loadOnce = async <T>(storage: ObjectStorage, key: string, load: () => Promise<Sized<T>>): Promise<T> => {
  let cache = caches.get(storage)
  if (cache === undefined) {
    cache = new LRUCache({
      maxSize: maxCachedBytes,
      sizeCalculation: ({ bytes }) => bytes + 1,
      ttl: maxAgeMs,
      fetchMethod: (_key, _stale, { context }) => context(),
      // A value that is no longer kept still answers those who wait for it.
      ignoreFetchAbort: true,
    })
    caches.set(storage, cache)
  }
  return (await cache.forceFetch(key, { context: load })).value as T
}
