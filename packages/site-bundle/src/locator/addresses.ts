/** Null for an address that no server can decode. */
export const decodeAddress = (address: string): string | null => {
  try {
    return decodeURIComponent(address)
  } catch {
    return null
  }
}

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

const origin = 'http://site.invalid'

/** Null for anything that leads outside the site. */
export const readOwnAddress = (address: string): string | null => {
  const url = URL.parse(address, origin)
  return url?.origin === origin && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : null
}
