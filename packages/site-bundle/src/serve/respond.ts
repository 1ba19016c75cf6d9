import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { selectRange } from '@docket/artifact-store/select-range'
import type { SiteFile, StoredSite } from '#open-site.ts'

export type FileRequest = { method?: string | undefined; headers: IncomingHttpHeaders }

/** How to send a file. `body`: nothing, the stored encoding whole, or decoded bytes `start` to `end`, both included. */
export type FileResponse = {
  status: 200 | 206 | 304 | 404 | 410 | 416
  headers: Record<string, string>
  body: 'none' | 'encoded' | { start: number; end: number }
}

const acceptsGzip = (accepted = ''): boolean =>
  accepted.startsWith('gzip,') ||
  accepted.split(',').some((part) => /^\s*(gzip|\*)\s*(;(?!\s*q=0(\.0*)?\s*$).*)?$/i.test(part))

export const matchesEtag = (header: string, tag: string): boolean =>
  header.trim() === '*' || header.split(',').some((part) => part.trim().replace(/^W\//, '') === tag)

/** Bundles that 1.0.0 read say nothing about encodings: their texts count as UTF-8, and their pages declare their own. */
export const formatContentType = ({ type, charset }: Pick<SiteFile, 'type' | 'charset'>): string =>
  (charset === undefined ? /^text\/(?!html)[^;]*$/.test(type) : charset !== null) ? `${type}; charset=utf-8` : type

/** A range is always of the file as the bundle has it. With status 404 or 410, conditions and ranges do not count. */
export const respondWithFile = (file: SiteFile, request: FileRequest, status: 200 | 404 | 410 = 200): FileResponse => {
  const { method = 'GET', headers: asked } = request
  const { range, 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = asked
  const ifRange = asked['if-range'] as string | undefined
  const plainTag = `"${file.sha256}"`
  const gzipTag = `"${file.sha256}-gzip"`
  const common = {
    'Content-Type': formatContentType(file),
    'Accept-Ranges': 'bytes',
    Vary: 'Accept-Encoding',
    ...(file.contentEncoding !== undefined && { 'Content-Encoding': file.contentEncoding }),
  }
  const part =
    status === 200 && range !== undefined && method === 'GET' && (ifRange === undefined || ifRange.trim() === plainTag)
      ? selectRange(range, file.sizeBytes)
      : 'none'
  const isGzip =
    file.encoding === 'gzip' &&
    file.contentEncoding === undefined &&
    part === 'none' &&
    acceptsGzip(acceptEncoding as string | undefined)
  const tag = isGzip ? gzipTag : plainTag
  if (status === 200 && ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, tag))
    return { status: 304, headers: { ETag: tag, Vary: 'Accept-Encoding' }, body: 'none' }
  if (part === 'unsatisfiable')
    return { status: 416, headers: { ...common, 'Content-Range': `bytes */${file.sizeBytes}` }, body: 'none' }
  if (part !== 'none') {
    const { start, end } = part
    const headers = {
      'Content-Range': `bytes ${start}-${end}/${file.sizeBytes}`,
      'Content-Length': `${end - start + 1}`,
    }
    return { status: 206, headers: { ...common, ETag: tag, ...headers }, body: part }
  }
  const length = isGzip ? file.encodedBytes : file.sizeBytes
  const headers = {
    ...common,
    'Content-Length': String(length),
    ...(status === 200 && { ETag: tag }),
    ...(isGzip && { 'Content-Encoding': 'gzip' }),
  }
  if (method === 'HEAD' || length === 0) return { status, headers, body: 'none' }
  return { status, headers, body: isGzip ? 'encoded' : { start: 0, end: file.sizeBytes - 1 } }
}

/** What a response sends of the file at `path`. Null without a body. */
export const readBody = async (
  site: Pick<StoredSite, 'read' | 'readEncoded'>,
  path: string,
  body: FileResponse['body'],
): Promise<Readable | null> => {
  if (body === 'none') return null
  return body === 'encoded' ? site.readEncoded(path) : site.read(path, body)
}
