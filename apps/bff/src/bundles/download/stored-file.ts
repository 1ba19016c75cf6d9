import { selectRange } from '@docket/artifact-store/select-range'
import { matchesEtag } from '@docket/site-bundle/serve/respond'
import { recordNothing } from './bundles.service.ts'
import type { Download, DownloadRequest } from './send-download.ts'
import { parseRange } from './bundle-ranges.ts'

/** Both ends are inclusive. */
export type ByteRange = { start: number; end: number }

/** Part of a stored file for a response. `null` means no body. */
type Selection = { status: 200 | 206 | 304 | 416; range: ByteRange | null }

/** Selects the requested part of a file with this strong ETag (RFC 9110 §13.2.2). */
const selectPart = (file: { etag: string; sizeBytes: number }, request: DownloadRequest): Selection => {
  const { isHead, range: header, ifRange, ifNoneMatch } = request
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, file.etag)) return { status: 304, range: null }
  const isCurrent = ifRange === undefined || ifRange === file.etag
  const range = isHead || !isCurrent ? 'none' : selectRange(parseRange(header) ?? '', file.sizeBytes)
  if (range === 'unsatisfiable') return { status: 416, range: null }
  return range === 'none'
    ? { status: 200, range: isHead || file.sizeBytes === 0 ? null : { start: 0, end: file.sizeBytes - 1 } }
    : { status: 206, range }
}

/** Content of an object. A piece is valid until the next one is requested. Read the content to its end or destroy it. */
export type Content = AsyncIterable<Uint8Array> & { destroy: () => unknown }

export type StoredFile = {
  headers: Record<string, string>
  etag: string
  sizeBytes: number
  /** Name of the file in the audit; null for the bundle itself. */
  what: string | null
  read: (range: ByteRange) => Promise<Content>
}

/** Opens the requested part, and calls `record` before its first byte. `delivered` is called after the last byte of the file. */
export const openStoredFile = async (
  { headers: own, etag, sizeBytes, what, read }: StoredFile,
  request: DownloadRequest,
  { record, delivered }: { record: (how: string) => Promise<void>; delivered: () => Promise<void> },
): Promise<Download> => {
  const { status, range } = selectPart({ etag, sizeBytes }, request)
  const headers: Record<string, string> = { ...own, ETag: etag }
  if (status === 416) headers['Content-Range'] = `bytes */${sizeBytes}`
  if (status === 416) headers['Content-Length'] = '0'
  if (status === 200) headers['Content-Length'] = String(sizeBytes)
  if (status === 206 && range !== null) {
    headers['Content-Length'] = String(range.end - range.start + 1)
    headers['Content-Range'] = `bytes ${range.start}-${range.end}/${sizeBytes}`
  }
  if (request.isHead || status === 304 || status === 416)
    return { status, headers, bytes: null, delivered: recordNothing }
  const bytes = range === null ? null : await read(range)
  const part = status === 206 && range !== null ? `bytes ${range.start} to ${range.end}` : null
  const how = [what, part].filter((text) => text !== null).join(', ')
  await record(how === '' ? 'whole' : how).catch((error: unknown) => {
    bytes?.destroy()
    throw error
  })
  const isEnd = range === null || range.end === sizeBytes - 1
  return { status, headers, bytes, delivered: async () => (isEnd ? delivered() : undefined) }
}
