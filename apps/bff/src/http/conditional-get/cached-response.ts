import { createHash } from 'node:crypto'
import { compressedJson, type Coding, type CompressedJson } from '#http/conditional-get/compressed-json.ts'

/** A response body that any number of readers can share. */
export type CachedResponse = {
  json: CompressedJson
  /** Hash of the body: equal bodies have equal digests. */
  digest: string
  /** When the body changes without a write (milliseconds since the epoch), or null. */
  until: number | null
  /** Runs for every request that this response answers, 304 included. */
  onPoll: (() => void) | undefined
}

/** Serializes a value that fits its contract. */
export const cacheResponse = (
  value: object,
  { until, onPoll }: Pick<CachedResponse, 'until' | 'onPoll'>,
): CachedResponse => {
  const json = JSON.stringify(value)
  const digest = createHash('sha256').update(json).digest('base64url').slice(0, 22)
  return { json: compressedJson(json), digest, until, onPoll }
}

/** Strong entity tag of a body in a coding. Codings differ in bytes, so they differ in tags. */
export const entityTag = (digest: string, coding: Coding): string =>
  `"${digest}${coding === 'identity' ? '' : `+${coding}`}"`

/**
 * The tag in `If-None-Match` that names this body in any coding, or null. A proxy that compresses may have weakened it; what is returned is
 * strong.
 */
export const listedTag = (digest: string, ifNoneMatch = ''): string | null => {
  const start = ifNoneMatch.indexOf(`"${digest}`)
  const tag = start < 0 ? null : /^"[\w-]+(?:\+(?:br|gzip))?"/.exec(ifNoneMatch.slice(start))
  return tag?.[0] ?? null
}
