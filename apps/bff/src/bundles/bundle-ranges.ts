import { createHash } from 'node:crypto'
import { AppError } from '#errors/app-error.ts'
import type { StorageAnswer } from '#bundles/storage/bundle-fetch.ts'

/** A part of a bundle that the storage is about to send: bytes `from` up to, not including, `end`. */
export type Part = {
  from: number
  /** Null when the storage does not say how much it sends. */
  end: number | null
  /** Size of the whole bundle in bytes. */
  total: number | null
}

/** What proves that two answers of the storage carry the same bytes. */
export type Identity = { etag: string | null; lastModified: string | null; total: number | null }

const singleRange = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/

/** The one range a client asks for; undefined for none, several or nonsense, which all mean the whole bundle (RFC 9110 §14.2). */
export const rangeOf = (header: string | undefined): string | undefined => {
  const range = header?.replaceAll(' ', '')
  return range !== undefined && singleRange.test(range) ? range : undefined
}

const count = (text: string | null | undefined): number | null => {
  const number = text === null || text === undefined || !/^\d{1,15}$/.test(text) ? NaN : Number(text)
  return Number.isSafeInteger(number) ? number : null
}

const unexpected = () =>
  new AppError('upstream_unexpected', 'The bundle storage answered with a part that was not asked for. Try again.')

/** Size of the whole bundle from `Content-Range`, also of a 416. */
export const totalOf = (answer: StorageAnswer): number | null =>
  count(/\/(\d+)$/.exec(answer.header('content-range') ?? '')?.[1])

/** What a 200 or 206 carries. Throws `upstream_unexpected` when its headers contradict each other. */
export const partOf = (answer: StorageAnswer): Part => {
  const length = count(answer.header('content-length'))
  if (answer.status === 200) return { from: 0, end: length, total: length }
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.header('content-range') ?? '') ?? []
  const [from, lastByte, total] = [count(first), count(last), count(size)]
  if (from === null || lastByte === null || total === null || from > lastByte || lastByte >= total) throw unexpected()
  if (length !== null && length !== lastByte - from + 1) throw unexpected()
  return { from, end: lastByte + 1, total }
}

/** How the storage names these bytes; a weak ETag names none. */
export const identityOf = (answer: StorageAnswer, total: number | null): Identity => {
  const etag = answer.header('etag')
  return { etag: etag?.startsWith('"') ? etag : null, lastModified: answer.header('last-modified'), total }
}

/** Whether both surely carry the same bytes: without any name for them nothing is sure. */
export const isSame = (one: Identity, other: Identity): boolean =>
  one.total !== null &&
  one.total === other.total &&
  one.etag === other.etag &&
  (one.etag !== null || (one.lastModified !== null && one.lastModified === other.lastModified))

/** Docket's own strong ETag for a bundle: the same through every link to the same bytes. Null when the storage names them in no way. */
export const entityTag = ({ etag, lastModified, total }: Identity, exportId: string): string | null => {
  if (etag === null && lastModified === null) return null
  const names = JSON.stringify([exportId, total, etag ?? lastModified])
  return `"${createHash('sha256').update(names).digest('base64url').slice(0, 27)}"`
}
