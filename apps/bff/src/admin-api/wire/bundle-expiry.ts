import { toInstant } from './wire-values.ts'

const compactDate = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

const signedUntil = (date: string | undefined, seconds: string | undefined): number | null => {
  const parts = compactDate.exec(date ?? '')
  if (parts === null || !/^\d{1,9}$/.test(seconds ?? '')) return null
  const [, year, month, day, hour, minute, second] = parts
  const fromMs = Date.parse(`${year ?? ''}-${month ?? ''}-${day ?? ''}T${hour ?? ''}:${minute ?? ''}:${second ?? ''}Z`)
  return Number.isNaN(fromMs) ? null : fromMs + Number(seconds) * 1000
}

/**
 * When a presigned link dies by its own parameters (S3 and Google signatures version 4, `Expires` of older ones and CDNs, Azure `se`).
 * Milliseconds since the epoch, or null when the link does not say.
 */
export const linkExpiryMs = (link: URL): number | null => {
  const parameters = new Map([...link.searchParams].map(([name, value]) => [name.toLowerCase(), value]))
  const get = (name: string) => parameters.get(name)
  const expires = get('expires') ?? ''
  const azure = toInstant(get('se') ?? '')
  const candidates = [
    signedUntil(get('x-amz-date'), get('x-amz-expires')),
    signedUntil(get('x-goog-date'), get('x-goog-expires')),
    /^\d{9,11}$/.test(expires) ? Number(expires) * 1000 : null,
    azure === null ? null : Date.parse(azure),
  ].filter((ms) => ms !== null)
  return candidates.length === 0 ? null : Math.min(...candidates)
}
