import { basename } from 'node:path/posix'
import type { PerConnection } from '#service/connections/per-connection.ts'
import type { Actor, Identity } from '#ground/identity/identity.ts'
import type { PreparedBundle } from '@docket/api-types/bundles'
import { includesRole } from '@docket/api-types/roles'
import { AppError } from '#ground/errors/app-error.ts'
import { isWithin } from '#ground/http/access/token-scope.ts'
import { acceptsCoding } from '#ground/http/conditional-get/compressed-json.ts'
import { buildAttachmentHeaders, type Download, type DownloadRequest } from './send-download.ts'
import { findMediaType } from '@docket/site-bundle/archive/judge-bytes'
import { type BundleRecords, type BundleService, recordNothing } from './bundles.service.ts'
import type { findDownloadRight } from './download-rights.ts'
import { type Content, openStoredFile, type StoredFile, type ByteRange } from './stored-file.ts'

/** Docket's own copy of the bundle of an export. Reads reject when the bytes are missing. */
export type StoredBundle = {
  /** Lower-case hexadecimal. */
  sha256: string
  ending: string
  sizeBytes: number
  read: (range: ByteRange) => Promise<Content>
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

// Nothing in a bundle may be displayed as a page of Docket, or loaded by one as a script or style.
const inert = { 'Content-Security-Policy': "sandbox; default-src 'none'" }

const notStoredError = () =>
  new AppError('not_found', 'Docket hasn’t saved this bundle. Save it first, or download the bundle itself.')

/** What downloads of exports send: Docket's own copy if there is one, else the bundle at the service. */
export type DownloadCtx = {
  /** Null when Docket has no copy of its own. */
  findStored: (exportId: string) => Promise<StoredBundle | null>
  /** Why Docket could not read the bundle when it last tried to store it. Null for anything else. */
  findRefusal: (exportId: string) => Promise<string | null>
  findRight: (identity: Identity, sha256: string) => ReturnType<typeof findDownloadRight>
  records: BundleRecords & { findConnection: (exportId: string) => Promise<string> }
  connections: Pick<PerConnection<BundleService>, 'open'>
}

/** Bundles at the connection of an export. Throws `conflict` while that connection is read-only. */
const openRemote = async ({ connections, records }: DownloadCtx, exportId: string) =>
  connections.open(await records.findConnection(exportId))

const openStored = async ({ records, findStored }: DownloadCtx, exportId: string) => {
  const [{ name }, stored] = await Promise.all([records.findBundle(exportId), findStored(exportId)])
  if (stored === null) throw notStoredError()
  return { name, stored }
}

const sendArchive = (
  { records }: DownloadCtx,
  file: StoredFile,
  { exportId, request, by }: { exportId: string; request: DownloadRequest; by: Actor },
) =>
  openStoredFile(file, request, {
    record: (how) => records.recordDownload(exportId, { by, how }),
    delivered: () => records.recordBundle(exportId, {}, { kind: 'downloaded', by }),
  })

/** The bundle itself, or its files as a ZIP. A bundle that is a ZIP is sent unchanged, so that one file has one name and one checksum. */
export const describeBundle = async (name: string, stored: StoredBundle, ending: string): Promise<StoredFile> => {
  const { sha256, sizeBytes, read, zip } = stored
  const headers = buildAttachmentHeaders(name + ending, findMediaType(ending))
  if (ending === stored.ending) return { headers, etag: `"${sha256}"`, sizeBytes, what: null, read }
  return { headers, etag: `"${sha256}.zip"`, sizeBytes: await zip.readSize(), what: 'as ZIP', read: zip.read }
}

/** Throws `forbidden` unless the current user operates the connection of an export, or a channel gives them the right to its bundle. */
export const ensureMayDownload = async (
  { records, findStored, findRight }: DownloadCtx,
  exportId: string,
  identity: Identity,
): Promise<void> => {
  const connectionId = await records.findConnection(exportId)
  const operates = identity !== null && includesRole(identity.role, 'operator')
  if (operates && isWithin(identity.operates, connectionId)) return
  const stored = await findStored(exportId)
  if (stored === null || (await findRight(identity, stored.sha256)) === null)
    throw new AppError('forbidden', 'Only operators download what no channel shows. Ask an admin for access.')
}

export const createLink = async (ctx: DownloadCtx, exportId: string, by: Actor) =>
  (await openRemote(ctx, exportId)).link(exportId, by)

/** With `anyway`, `problem` says what is wrong with a bundle that is refused otherwise. */
export const prepareDownload = async (
  ctx: DownloadCtx,
  exportId: string,
  { by, anyway = false }: { by: Actor; anyway?: boolean | undefined },
): Promise<PreparedBundle> => {
  const { records, findStored, findRefusal } = ctx
  const stored = await findStored(exportId)
  if (stored === null) {
    const { problem, ...prepared } = await (await openRemote(ctx, exportId)).prepare(exportId, { by, anyway })
    const known = anyway ? (problem ?? (await findRefusal(exportId))) : null
    return known === null ? prepared : { ...prepared, problem: known }
  }
  const { name } = await records.findBundle(exportId)
  await records.recordBundle(exportId, {}, { kind: 'bundle_prepared', by })
  return { sizeBytes: stored.sizeBytes, fileName: name + stored.ending }
}

export const downloadBundle = async (
  ctx: DownloadCtx,
  exportId: string,
  request: DownloadRequest,
  context: { by: Actor; signal: AbortSignal; anyway?: boolean | undefined },
): Promise<Download> => {
  const { records, findStored } = ctx
  const { name } = await records.findBundle(exportId)
  const stored = await findStored(exportId)
  if (stored === null) return (await openRemote(ctx, exportId)).download(exportId, request, context)
  const file = await describeBundle(name, stored, stored.ending)
  return sendArchive(ctx, file, { exportId, request, by: context.by })
}

export const downloadZip = async (
  ctx: DownloadCtx,
  exportId: string,
  request: DownloadRequest,
  { by }: { by: Actor },
): Promise<Download> => {
  const { name, stored } = await openStored(ctx, exportId)
  return sendArchive(ctx, await describeBundle(name, stored, '.zip'), { exportId, request, by })
}

/** One file of the bundle. It is sent compressed as it is stored if the client accepts that and requests the whole file. */
export const downloadFile = async (
  ctx: DownloadCtx,
  exportId: string,
  request: DownloadRequest,
  { by, path }: { by: Actor; path: string },
): Promise<Download> => {
  const { site } = (await openStored(ctx, exportId)).stored
  const found = await site.find(path)
  if (found === null) throw new AppError('not_found', 'The bundle has no file with this path.')
  const isEncoded =
    found.encoding === 'gzip' && request.range === undefined && acceptsCoding(request.acceptEncoding, 'gzip')
  // Browsers load scripts and styles only from their own media types.
  const headers = { ...buildAttachmentHeaders(basename(path), 'application/octet-stream'), ...inert }
  const coding = isEncoded ? { 'Content-Encoding': 'gzip' } : {}
  const file = {
    headers: { ...headers, ...coding, Vary: 'Accept-Encoding, Range' },
    etag: isEncoded ? `"${found.sha256}.gzip"` : `"${found.sha256}"`,
    sizeBytes: isEncoded ? found.encodedBytes : found.sizeBytes,
    what: `file ${path}`,
    read: (range: ByteRange) => (isEncoded ? site.readEncoded(path) : site.read(path, range)),
  }
  const record = (how: string) => ctx.records.recordDownload(exportId, { by, how })
  return openStoredFile(file, request, { record, delivered: recordNothing })
}

/** The checksum of the bundle, for `sha256sum -c` in the folder of the file. */
export const describeChecksum = async (
  ctx: DownloadCtx,
  exportId: string,
): Promise<{ fileName: string; text: string }> => {
  const { name, stored } = await openStored(ctx, exportId)
  const fileName = name + stored.ending
  return { fileName: `${fileName}.sha256`, text: `${stored.sha256}  ${fileName}\n` }
}
