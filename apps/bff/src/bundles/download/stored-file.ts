import { recordsNothing } from './bundles.service.ts'
import type { Download, DownloadRequest } from './send-download.ts'
import { type ByteRange, selectPart } from './stored-parts.ts'

/** Content of an object. A piece is valid until the next one is asked for. Read it or destroy it. */
export type Content = AsyncIterable<Uint8Array> & { destroy: () => unknown }

/** A stored file, ready to be sent. */
export type StoredFile = {
  headers: Record<string, string>
  etag: string
  sizeBytes: number
  /** Names it in the audit; null for the bundle itself. */
  what: string | null
  read: (range: ByteRange) => Promise<Content>
}

/** Opens the part that was asked for, and calls `record` before its first byte. `delivered` is called after the last byte of the file. */
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
    return { status, headers, bytes: null, delivered: recordsNothing }
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
