import { isUtf8 } from 'node:buffer'

// One valid sequence of UTF-8, or a byte of none.
const sequence =
  /[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}|[\x80-\xff]/g

/** Reads UTF-8, and keeps other bytes as addresses have them: `gr%F6%DFe`. */
export const decodeBytes = (bytes: Buffer): string =>
  isUtf8(bytes)
    ? bytes.toString()
    : bytes
        .toString('latin1')
        .replace(sequence, (found) =>
          found.length > 1
            ? Buffer.from(found, 'latin1').toString()
            : `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
        )

/**
 * Decodes what is UTF-8. Other bytes stay as they are, in capitals, so that a file whose name has such bytes is found. Null for an address
 * with a `%` that begins no byte.
 */
export const decodeAddress = (address: string): string | null => {
  try {
    return decodeURIComponent(address)
  } catch {
    if (/%(?![\da-f]{2})/i.test(address)) return null
    const bytes = Buffer.from(address).toString('latin1')
    const decoded = bytes.replaceAll(/%[\da-f]{2}/gi, (byte) => String.fromCharCode(parseInt(byte.slice(1), 16)))
    return decodeBytes(Buffer.from(decoded, 'latin1'))
  }
}

/** The opposite of `decodeAddress`. */
export const encodeAddress = (decoded: string): string => decoded.split('/').map(encodeURIComponent).join('/')

const encodeOne = (character: string) => (character === "'" ? '%27' : encodeURIComponent(character))

/** Encodes characters that have a meaning in headers, shells and configurations. */
export const escapeLocation = (location: string): string =>
  location.toWellFormed().replaceAll(/%(?![\da-f]{2})|[^\w\-.~:/?#[\]@!&()*+,;=%]/giu, encodeOne)

export const removeEndSlash = (address: string): string => (address.length > 1 ? address.replace(/\/$/, '') : address)

export const isOwnAddress = (location: string): boolean => /^\/(?![/\\])/.test(location)

export const splitTarget = (to: string): { address: string; hasQuery: boolean; fragment: string } => {
  const [address = '', fragment] = to.split(/#(.*)/s, 2)
  return { address, hasQuery: address.includes('?'), fragment: fragment === undefined ? '' : `#${fragment}` }
}

export const addQuery = (to: string, query: string): string => {
  const { address, hasQuery, fragment } = splitTarget(to)
  return query === '' ? to : `${address}${hasQuery ? '&' : '?'}${query}${fragment}`
}

/** A host that no address names. */
export const siteOrigin = 'http://site.invalid'

/** Null for anything that leads outside the site. */
export const readOwnAddress = (address: string): string | null => {
  const url = URL.parse(address, siteOrigin)
  return url?.origin === siteOrigin && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : null
}
