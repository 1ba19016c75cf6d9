/** Parts of a target, for adding the query of a request where it belongs. */
export const splitTarget = (to: string): { address: string; hasQuery: boolean; fragment: string } => {
  const [address = '', fragment] = to.split(/#(.*)/s, 2)
  return { address, hasQuery: address.includes('?'), fragment: fragment === undefined ? '' : `#${fragment}` }
}

/** A target with the query of the request: after its own, before its fragment. */
export const addQuery = (to: string, query: string): string => {
  const { address, hasQuery, fragment } = splitTarget(to)
  return query === '' ? to : `${address}${hasQuery ? '&' : '?'}${query}${fragment}`
}

const origin = 'http://site.invalid'

/** Path, query and fragment of an address within a site, encoded. Null for anything that leads elsewhere. */
export const readOwnAddress = (address: string): string | null => {
  const url = URL.parse(address, origin)
  return url?.origin === origin && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : null
}
