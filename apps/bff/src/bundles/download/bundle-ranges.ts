import { createHash } from 'node:crypto'
import { AppError } from '#ground/errors/app-error.ts'
import type { StorageAnswer } from '#bundles/download/storage/bundle-fetch.ts'

/** The part of a bundle in a response: bytes `from` to `end`, exclusive. */
export type Part = {
  from: number
  /** Null when the storage sends no length. */
  end: number | null
  total: number | null
}

export type Identity = { etag: string | null; lastModified: string | null; total: number | null }

const singleRange = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/

/** Parses a single range. Undefined for none, several or an invalid one, which all mean the whole bundle (RFC 9110 §14.2). */
export const parseRange = (header: string | undefined): string | undefined => {
  const range = header?.replaceAll(' ', '')
  return range !== undefined && singleRange.test(range) ? range : undefined
}

const parseCount = (text: string | null | undefined): number | null => {
  const number = text === null || text === undefined || !/^\d{1,15}$/.test(text) ? NaN : Number(text)
  return Number.isSafeInteger(number) ? number : null
}

const unexpectedRangeError = () =>
  new AppError('upstream_unexpected', 'The bundle storage returned a part that Docket didn’t request. Try again.')

/** Also set for a 416. */
export const readTotal = (answer: StorageAnswer): number | null =>
  parseCount(/\/(\d+)$/.exec(answer.header('content-range') ?? '')?.[1])

/** Reads the part in a 200 or 206. Throws `upstream_unexpected` when its headers contradict each other. */
export const readPart = (answer: StorageAnswer): Part => {
  const length = parseCount(answer.header('content-length'))
  if (answer.status === 200) return { from: 0, end: length, total: length }
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(answer.header('content-range') ?? '') ?? []
  const [from, lastByte, total] = [parseCount(first), parseCount(last), parseCount(size)]
  if (from === null || lastByte === null || from > lastByte || (total !== null && lastByte >= total))
    throw unexpectedRangeError()
  if (length !== null && length !== lastByte - from + 1) throw unexpectedRangeError()
  return { from, end: lastByte + 1, total }
}

/** A weak ETag does not count. */
export const readIdentity = (answer: StorageAnswer, total: number | null): Identity => {
  const etag = answer.header('etag')
  return { etag: etag?.startsWith('"') ? etag : null, lastModified: answer.header('last-modified'), total }
}

/** True when both certainly have the same bytes, which takes an ETag or a date. */
export const isSameBundle = (one: Identity, other: Identity): boolean =>
  (one.total === null || other.total === null || one.total === other.total) &&
  one.etag === other.etag &&
  (one.etag !== null || (one.lastModified !== null && one.lastModified === other.lastModified))

/** Strong ETag of a bundle, the same through every link. Null when the storage sends neither ETag nor date. */
export const buildEntityTag = ({ etag, lastModified, total }: Identity, exportId: string): string | null => {
  if (etag === null && lastModified === null) return null
  const names = JSON.stringify([exportId, total, etag ?? lastModified])
  return `"${createHash('sha256').update(names).digest('base64url').slice(0, 27)}"`
}
