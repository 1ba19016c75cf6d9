import { isLoopbackHost, isMetadataHost } from '@docket/outbound/addresses'

/**
 * Address of the Admin API. `basePath` is empty, or starts with a slash and does not end in one. `version` is the `/v1` or `/v2` that was
 * removed from its end, because every path of the Admin API begins with one.
 */
export type AdminBaseUrl = { origin: string; basePath: string; version: string | null }

/**
 * Parses the configured address of the Admin API (§4). Accepts plain http for this machine only, because the key is sent to this address.
 * Throws an `Error` that says what to change and never repeats the address, which may hold a password.
 */
export const parseBaseUrl = (text: string, name = 'ADMIN_API_URL'): AdminBaseUrl => {
  const refuse = (problem: string) => new Error(`${name} ${problem}`)
  const trimmed = text.trim()
  if (trimmed === '') throw refuse('is empty. Example: https://api.example.com')
  // `URL` would silently repair these, and Docket would then call a different address.
  if (!/^[\x21-\x7e]+$/.test(trimmed) || trimmed.includes('\\')) {
    throw refuse('holds a space, a backslash or a character that is not ASCII.')
  }
  if (!/^https?:\/\/[^/]/i.test(trimmed)) throw refuse('must start with https:// and a host name.')
  const url = URL.parse(trimmed)
  if (url === null) throw refuse('is not a valid address. Example: https://api.example.com')
  if (url.username !== '' || url.password !== '' || trimmed.split(/[/?#]/)[2]?.includes('@') === true) {
    throw refuse('must not hold a user name or password. Set the key on its own.')
  }
  if (trimmed.includes('?')) throw refuse('must not have a query (the part from the question mark on).')
  if (trimmed.includes('#')) throw refuse('must not have a fragment (the part from the # on).')
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    throw refuse('must use https: the admin key would travel unencrypted. Plain http is accepted for localhost only.')
  }
  if (isMetadataHost(url.hostname)) throw refuse('must not be the metadata service of a cloud.')
  const path = url.pathname.replace(/\/+$/, '')
  const version = /\/v[12]$/.exec(path)?.[0] ?? null
  const basePath = version === null ? path : path.slice(0, -version.length).replace(/\/+$/, '')
  return { origin: url.origin, basePath, version }
}

/** Tells the operator how a configured address was corrected. Null when it was not. Throws like `parseBaseUrl`. */
export const describeCorrection = (text: string): string | null => {
  const { origin, basePath, version } = parseBaseUrl(text)
  return version === null
    ? null
    : `ADMIN_API_URL ends in ${version}, which Docket adds by itself. It uses ${origin}${basePath} instead.`
}
