import type { DownloadRequest } from './send-download.ts'
import { parseRange } from './bundle-ranges.ts'

/** Bytes `start` to `end`, both included. */
export type ByteRange = { start: number; end: number }

/** Part of a stored file for a response. `null` is no body. */
type Selection = { status: 200 | 206 | 304 | 416; range: ByteRange | null }

/** Null for the whole file: no range, several, or an invalid one (RFC 9110 §14.2). */
const findRange = (header: string | undefined, sizeBytes: number): ByteRange | 'unsatisfiable' | null => {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(parseRange(header) ?? '') ?? []
  if (first === '' ? last === '' : last !== '' && Number(last) < Number(first)) return null
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  return start > end ? 'unsatisfiable' : { start, end }
}

const matches = (ifNoneMatch: string | undefined, etag: string) =>
  ifNoneMatch?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) ?? false

/** Selects the part of a file with this strong ETag that a request asks for (RFC 9110 §13.2.2). */
export const selectPart = (file: { etag: string; sizeBytes: number }, request: DownloadRequest): Selection => {
  const { isHead, range: header, ifRange, ifNoneMatch } = request
  if (matches(ifNoneMatch, file.etag)) return { status: 304, range: null }
  const isCurrent = ifRange === undefined || ifRange === file.etag
  const range = isHead || !isCurrent ? null : findRange(header, file.sizeBytes)
  if (range === 'unsatisfiable') return { status: 416, range: null }
  return range === null
    ? { status: 200, range: isHead || file.sizeBytes === 0 ? null : { start: 0, end: file.sizeBytes - 1 } }
    : { status: 206, range }
}
