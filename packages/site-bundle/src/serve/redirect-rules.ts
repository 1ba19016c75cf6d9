/** Redirects of a bundle as servers follow them: addresses first, then what begins with a prefix, in the order of the bundle. */
export type RedirectRules = {
  /** Target by address: decoded, without a slash at its end. */
  exact: ReadonlyMap<string, string>
  /** `from` is `/v1/` of `/v1/*`, decoded; the rest of the address goes between `before` and `after`. `after` is null when it goes nowhere. */
  prefixes: readonly { from: string; before: string; after: string | null }[]
  leftOut: readonly { from: string; to: string; why: string }[]
}

/** Longer addresses do not fit into the configuration of every server. */
const maxFromBytes = 900
const maxToChars = 2_000

const decodeText = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const encodeOne = (character: string) => (character === "'" ? '%27' : encodeURIComponent(character))

/** Encodes characters that have a meaning in headers, shells and configurations. */
export const escapeLocation = (location: string): string =>
  location.toWellFormed().replaceAll(/%(?![\da-f]{2})|[^\w\-.~:/?#[\]@!&()*+,;=%]/giu, encodeOne)

export const removeEndSlash = (address: string): string => (address.length > 1 ? address.replace(/\/$/, '') : address)

const isOwnAddress = (location: string) => /^\/(?!\/)/.test(location)

const findRejection = (from: string, to: string): string | null => {
  if (!/^\/(?![/\\])/.test(from) || !from.isWellFormed()) return 'it does not begin at an address of the site'
  if (/[?#\\\p{Cc}]/u.test(from)) return 'no request has such an address'
  if (from === '/*') return 'it would take every address that the site does not have'
  if (Buffer.byteLength(from) > maxFromBytes || to.length > maxToChars) return 'it is too long'
  if (!isOwnAddress(to) && !/^https?:\/\/[^/]/i.test(to))
    return 'it leads neither to an address of the site nor to a URL'
  return null
}

const readPrefix = (from: string, to: string) => {
  const [before = '', after = null] = to.split(/:splat(.*)/s, 2)
  return { from: from.slice(0, -1), before, after }
}

const parseRules = (redirects: readonly { from: string; to: string }[]): RedirectRules => {
  const exact = new Map<string, string>()
  const prefixes: RedirectRules['prefixes'][number][] = []
  const leftOut: RedirectRules['leftOut'][number][] = []
  for (const redirect of redirects) {
    const from = decodeText(redirect.from)
    // An empty query has no meaning, and servers may drop or keep it.
    const to = escapeLocation(redirect.to).replace(/\?(?=#|$)/, '')
    const leaveOut = (why: string) => void leftOut.push({ ...redirect, why })
    const refused = findRejection(from, to)
    if (refused !== null) leaveOut(refused)
    else if (from.endsWith('/*')) {
      const rule = readPrefix(from, to)
      if (rule.after !== null && !isOwnAddress(to) && !/^https?:\/\/[^/]+\//i.test(rule.before))
        leaveOut('readers would choose the host that it leads to')
      else if (rule.after === '' && decodeText(rule.before) === rule.from) leaveOut('it leads to itself')
      else prefixes.push(rule)
    } else {
      const address = removeEndSlash(from)
      const isTaken = exact.has(address) || prefixes.some((prefix) => from.startsWith(prefix.from))
      if (isTaken) leaveOut('a rule before it has its address')
      else if (removeEndSlash(decodeText(to.split(/[?#]/, 1)[0]!)) === address) leaveOut('it leads to itself')
      else exact.set(address, to)
    }
  }
  return { exact, prefixes, leftOut }
}

const known = new WeakMap<readonly object[], RedirectRules>()

/** Targets are safe in headers and never name another host by accident. */
export const readRedirectRules = (redirects: readonly { from: string; to: string }[]): RedirectRules => {
  const rules = known.get(redirects) ?? parseRules(redirects)
  known.set(redirects, rules)
  return rules
}

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
