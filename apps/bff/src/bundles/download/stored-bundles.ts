import { basename } from 'node:path/posix'
import type { PerConnection } from '#service/connections/per-connection.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { Identity } from '#ground/identity/identity.ts'
import { includesRole } from '@docket/api-types/roles'
import { AppError } from '#ground/errors/app-error.ts'
import { isWithin } from '#ground/http/access/token-scope.ts'
import { acceptsCoding } from '#ground/http/conditional-get/compressed-json.ts'
import { attachmentHeaders } from './attachment.ts'
import { findFormat } from './bundle-format.ts'
import { type BundleRecords, type BundleService, recordsNothing, type UseBundle } from './bundles.service.ts'
import type { FindDownloadRight } from './download-rights.ts'
import type { Download, DownloadRequest } from './send-download.ts'
import { type Content, openStoredFile, type StoredFile } from './stored-file.ts'
import type { ByteRange } from './stored-parts.ts'

/** Docket's own copy of the bundle of an export. Reads reject when the bytes are gone. */
export type StoredBundle = {
  /** Lower-case hexadecimal. */
  sha256: string
  ending: string
  sizeBytes: number
  read: (range: ByteRange) => Promise<Content>
  /** Its files as one ZIP. */
  zip: { readSize: () => Promise<number>; read: (range: ByteRange) => Promise<Content> }
  site: {
    /** `gzip`: `readEncoded` returns the content with that coding, `encodedBytes` long. */
    find: (
      path: string,
    ) => Promise<{ sizeBytes: number; sha256: string; encoding: 'identity' | 'gzip'; encodedBytes: number } | null>
    read: (path: string, range: ByteRange) => Promise<Content>
    readEncoded: (path: string) => Promise<Content>
  }
}

/** Null unless Docket has a copy. */
export type FindStored = (exportId: string) => Promise<StoredBundle | null>

// Whatever a bundle contains, it is no page of Docket's, and no script or style that one could load.
const inert = { 'Content-Security-Policy': "sandbox; default-src 'none'" }

const notStored = () =>
  new AppError('not_found', 'Docket has no copy of this bundle. Store it first, or download the bundle itself.')

/** Bundles of completed exports: Docket's own copy where there is one, else through the service. */
export const storedBundles = (deps: {
  findStored: FindStored
  findRight: FindDownloadRight
  records: BundleRecords & { findConnection: (exportId: string) => Promise<string> }
  connections: Pick<PerConnection<BundleService>, 'open'>
}) => {
  const { findStored, findRight, records, connections } = deps

  /** Bundles at the connection of an export. `conflict` while that connection is read-only. */
  const openRemote = async (exportId: string) => connections.open(await records.findConnection(exportId))

  const open = async (exportId: string) => {
    const [{ name }, stored] = await Promise.all([records.findBundle(exportId), findStored(exportId)])
    if (stored === null) throw notStored()
    return { name, stored }
  }

  const sendArchive = (exportId: string, file: StoredFile, request: DownloadRequest, by: Actor) =>
    openStoredFile(file, request, {
      record: (how) => records.recordDownload(exportId, { by, how }),
      delivered: () => records.recordBundle(exportId, {}, { kind: 'downloaded', by }),
    })

  const describeBundle = (name: string, { sha256, ending, sizeBytes, read }: StoredBundle): StoredFile => ({
    headers: attachmentHeaders(name + ending, findFormat(ending).mediaType),
    etag: `"${sha256}"`,
    sizeBytes,
    what: null,
    read,
  })

  return {
    /** Throws `forbidden` unless somebody operates the connection of an export, or a channel gives them the right to its bundle. */
    ensureMay: async (exportId: string, identity: Identity): Promise<void> => {
      const connectionId = await records.findConnection(exportId)
      const operates = identity !== null && includesRole(identity.role, 'operator')
      if (operates && isWithin(identity.operates, connectionId)) return
      const stored = await findStored(exportId)
      if (stored === null || (await findRight(identity, stored.sha256)) === null)
        throw new AppError('forbidden', 'Only operators download what no channel shows. Ask an admin for access.')
    },
    /** Makes a new link. */
    link: async (exportId: string, by: Actor) => (await openRemote(exportId)).link(exportId, by),
    readWhole: async <Result>(exportId: string, signal: AbortSignal, use: UseBundle<Result>): Promise<Result> =>
      (await openRemote(exportId)).readWhole(exportId, signal, use),
    /** Makes sure that there is a bundle, and finds its format and size. */
    prepare: async (exportId: string, by: Actor) => {
      const stored = await findStored(exportId)
      if (stored === null) return (await openRemote(exportId)).prepare(exportId, by)
      const { name } = await records.findBundle(exportId)
      await records.recordBundle(exportId, {}, { kind: 'bundle_prepared', by })
      return { sizeBytes: stored.sizeBytes, fileName: name + stored.ending }
    },
    /** The bundle itself, byte for byte. */
    download: async (
      exportId: string,
      request: DownloadRequest,
      context: { by: Actor; signal: AbortSignal },
    ): Promise<Download> => {
      const { name } = await records.findBundle(exportId)
      const stored = await findStored(exportId)
      if (stored === null) return (await openRemote(exportId)).download(exportId, request, context)
      return sendArchive(exportId, describeBundle(name, stored), request, context.by)
    },
    /** Its files as a ZIP. A bundle that is a ZIP is sent itself, so that one file has one name and one checksum. */
    zip: async (exportId: string, request: DownloadRequest, { by }: { by: Actor }): Promise<Download> => {
      const { name, stored } = await open(exportId)
      if (stored.ending === '.zip') return sendArchive(exportId, describeBundle(name, stored), request, by)
      const sizeBytes = await stored.zip.readSize()
      const file = {
        headers: attachmentHeaders(`${name}.zip`, findFormat('.zip').mediaType),
        etag: `"${stored.sha256}.zip"`,
        sizeBytes,
        what: 'as ZIP',
        read: stored.zip.read,
      }
      return sendArchive(exportId, file, request, by)
    },
    /** One file of it. Compressed as it is stored if the client accepts that and asks for all of it. */
    file: async (
      exportId: string,
      request: DownloadRequest,
      { by, path }: { by: Actor; path: string },
    ): Promise<Download> => {
      const { site } = (await open(exportId)).stored
      const found = await site.find(path)
      if (found === null) throw new AppError('not_found', 'The bundle has no file with this path.')
      const isEncoded =
        found.encoding === 'gzip' && request.range === undefined && acceptsCoding(request.acceptEncoding, 'gzip')
      // Scripts and styles load from their own media types only.
      const headers = { ...attachmentHeaders(basename(path), 'application/octet-stream'), ...inert }
      const coding = isEncoded ? { 'Content-Encoding': 'gzip' } : {}
      const file = {
        headers: { ...headers, ...coding, Vary: 'Accept-Encoding, Range' },
        etag: isEncoded ? `"${found.sha256}.gzip"` : `"${found.sha256}"`,
        sizeBytes: isEncoded ? found.encodedBytes : found.sizeBytes,
        what: `file ${path}`,
        read: (range: ByteRange) => (isEncoded ? site.readEncoded(path) : site.read(path, range)),
      }
      const record = (how: string) => records.recordDownload(exportId, { by, how })
      return openStoredFile(file, request, { record, delivered: recordsNothing })
    },
    /** The checksum of the bundle, for `sha256sum -c` beside it. */
    checksum: async (exportId: string): Promise<{ fileName: string; text: string }> => {
      const { name, stored } = await open(exportId)
      const fileName = name + stored.ending
      return { fileName: `${fileName}.sha256`, text: `${stored.sha256}  ${fileName}\n` }
    },
  }
}

/** Bundles of completed exports, stored or not. */
export type StoredBundleService = ReturnType<typeof storedBundles>
