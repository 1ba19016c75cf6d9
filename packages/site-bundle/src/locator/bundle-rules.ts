import { decodeAddress, escapeLocation, isOwnAddress, removeEndSlash } from './addresses.ts'
import { createRuleMatcher, isExact, isRedirect, readPattern } from './rule-matcher.ts'
import { parseJson } from '#parse-json.ts'
import {
  statuses,
  type BundleRules,
  type HeaderRule,
  type LeftOutRule,
  type Rule,
  type WrittenHeaders,
  type WrittenRule,
} from '#site-rules.ts'

const maxRules = 10_000
/** An address is compared with all patterns that have its first part, or a name there. */
const maxAlike = 1_000
const maxHeaderRules = 200
/** Longer addresses do not fit into the configuration of every server. */
const maxFromBytes = 900
const maxToChars = 2_000

const hostCondition = (from: string) =>
  /^(?:https?:)?\/\//i.test(from) ? 'it depends on the host that a reader asks' : null

/** Lines of `_redirects` as Netlify and Cloudflare Pages read them: from, query, to, status, conditions. */
const readRedirectLines = (text: string): WrittenRule[] =>
  text.split('\n').flatMap((line) => {
    const [from = '', ...parts] = line
      .replace(/(?:^|\s)#.*/, '')
      .trim()
      .split(/\s+/)
    const toPlace = parts.findIndex((part) => /^(?:\/|https?:)/i.test(part))
    const statusPlace = parts.findIndex((part, place) => place > toPlace && /^\d{3}!?$/.test(part))
    if (from === '' || (toPlace === -1 && statusPlace === -1)) return []
    const pairs = (some: readonly string[]) =>
      some.filter((part) => part.indexOf('=') > 0).map((part) => part.split(/=(.*)/s, 2) as [string, string])
    const query = pairs(parts.slice(0, toPlace === -1 ? 0 : toPlace))
    const [condition] = pairs(parts.slice(toPlace + 1))
    const status = parts[statusPlace] ?? '302'
    return {
      from,
      to: parts[toPlace] ?? null,
      status: Number.parseInt(status, 10),
      isForced: status.endsWith('!'),
      ...(query.length > 0 && { query: Object.fromEntries(query) }),
      condition:
        condition === undefined ? hostCondition(from) : `it depends on the ${condition[0].toLowerCase()} of the reader`,
      file: '_redirects',
    }
  })

const readHeaderLines = (text: string): WrittenHeaders[] => {
  const found: WrittenHeaders[] = []
  for (const line of text.split('\n').map((one) => one.trim())) {
    const [, name, value] = /^([\w-]+)\s*:\s*(.*)$/.exec(line) ?? []
    const condition = hostCondition(line)
    if (line.startsWith('/') || condition !== null) found.push({ from: line, headers: [], file: '_headers', condition })
    else if (name !== undefined) found.at(-1)?.headers.push([name, value!])
  }
  return found
}

const findRejection = ({ from, to, status, condition, isForced }: WrittenRule): string | null => {
  if (condition !== undefined && condition !== null) return condition
  if (!isOwnAddress(from) || !from.isWellFormed()) return 'it does not begin at an address of the site'
  if (/[?#\\\p{Cc}]/u.test(from)) return 'no request has such an address'
  if (!statuses.some((one) => one === status)) return `it has the status ${status}`
  const pattern = readPattern(from)
  if (pattern === null) return 'only names between slashes, and * after the last slash, stand for others'
  if (from === '/*' && isForced === true) return 'it would hide every file of the site'
  if (Buffer.byteLength(from) > maxFromBytes || (to?.length ?? 0) > maxToChars) return 'it is too long'
  if (to === null) return status === 404 || status === 410 ? null : 'it leads nowhere'
  if (isOwnAddress(to))
    return from === '/*' && isRedirect({ status })
      ? 'it would redirect every address that the site does not have'
      : null
  const host = /^https?:\/\/([^/?#]+)/i.exec(to)?.[1]
  if (host === undefined) return 'it leads neither to an address of the site nor to a URL'
  if (status === 200) return 'it passes requests on to another host'
  if (status === 404 || status === 410) return 'its page is on another host'
  if (/:[a-z]/i.test(host)) return 'readers would choose the host that it leads to'
  return URL.canParse(to) ? null : 'it leads neither to an address of the site nor to a URL'
}

export const isLoop = ({ from, to, status }: Pick<Rule, 'from' | 'to' | 'status'>): boolean =>
  isRedirect({ status }) &&
  removeEndSlash(decodeAddress(to!.split(/[?#]/, 1)[0]!) ?? to!) === removeEndSlash(from).replace(/\*$/, ':splat')

const onlyFirst = (max: number) => `only the first ${max.toLocaleString('en')} are read`

/** One line for all rules that are too many, because it is stored with the bundle. */
const noteRest = (first: { from: string; file: string } | undefined, max: number): LeftOutRule[] =>
  first === undefined ? [] : [{ from: first.from, to: '', why: onlyFirst(max), file: first.file }]

/** Leaves out, with the reason, what no reader may get or what no request can reach. */
const acceptRules = (written: readonly WrittenRule[]): Pick<BundleRules, 'rules' | 'leftOut'> => {
  const [rules, leftOut]: [Rule[], LeftOutRule[]] = [[], []]
  const matcher = createRuleMatcher([])
  const patterns = new Map<string, number>()
  for (const { condition = null, isForced = false, ...one } of written.slice(0, maxRules)) {
    const from = decodeAddress(one.from) ?? one.from
    // The page of a missing address is the nearest 404 page when the rule would name it by the address.
    const isNearest = one.status > 400 && one.to !== null && isOwnAddress(one.to) && /:[a-z]/i.test(one.to)
    // An empty query has no meaning, and servers may drop or keep it.
    const to = one.to === null || isNearest ? null : escapeLocation(one.to).replace(/\?(?=#|$)/, '')
    const rule = { ...one, from, to, ...(isForced && { isForced }) } as Rule
    const findWhy = () => {
      const rejection = findRejection({ ...one, from, to, condition, isForced })
      if (rejection !== null) return rejection
      if (isLoop(rule)) return 'it leads to itself'
      const isHidden = isExact(readPattern(from)!) && matcher.find(encodeURI(from), from, '', isForced) !== null
      return isHidden ? 'a rule before it has its address' : null
    }
    const leaveOut = (why: string) => leftOut.push({ from: one.from, to: one.to ?? '', why, file: one.file })
    const why = findWhy()
    if (why !== null) {
      leaveOut(why)
      continue
    }
    if (!isExact(readPattern(from)!)) {
      const begin = /^\/(?![:*])[^/]*/.exec(from)?.[0] ?? ''
      const alike = (patterns.get(begin) ?? 0) + 1
      patterns.set(begin, alike)
      // One line for all of them, because it is stored with the bundle.
      if (alike === maxAlike + 1) leaveOut(`of patterns that begin alike, ${onlyFirst(maxAlike)}`)
      if (alike > maxAlike) continue
    }
    matcher.add(rule)
    rules.push(rule)
  }
  leftOut.push(...noteRest(written[maxRules], maxRules))
  return { rules, leftOut }
}

/** Headers that hosting sends for a bundle: who may read a file from elsewhere, and what a page may do. */
const acceptedHeader =
  /^(?:access-control-(?:allow-(?:origin|methods|headers)|expose-headers|max-age)|timing-allow-origin|cross-origin-(?:embedder|opener)-policy|permissions-policy|x-robots-tag|content-language)$/i

/** So that two names of one header are the same: `X-Robots-Tag`. */
export const formatHeaderName = (name: string): string =>
  name.toLowerCase().replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())

const acceptHeaders = (written: readonly WrittenHeaders[]): Pick<BundleRules, 'headers' | 'leftOut'> => {
  const [headers, leftOut]: [HeaderRule[], LeftOutRule[]] = [[], []]
  for (const { from, headers: all, file, condition } of written.slice(0, maxHeaderRules)) {
    const [before = '', after = null, more] = (decodeAddress(from) ?? from).split('*')
    const why = condition ?? (more !== undefined || /\/:/.test(from) ? 'only one * stands for others here' : null)
    const [accepted, others]: [HeaderRule['headers'], string[]] = [[], []]
    for (const [name, value] of all) {
      if (why === null && acceptedHeader.test(name) && /^[\x20-\x7e]{1,2000}$/.test(value))
        accepted.push([formatHeaderName(name), value])
      else others.push(name)
    }
    const to = [...new Set(others)].join(', ')
    if (to !== '') leftOut.push({ from, to, why: why ?? 'Docket decides these headers', file })
    if (accepted.length > 0) headers.push({ before, after, headers: accepted })
  }
  leftOut.push(...noteRest(written[maxHeaderRules], maxHeaderRules))
  return { headers, leftOut }
}

/** Names of the files with rules, below the root of a site. */
export const ruleFiles = { redirects: '_redirects', vercel: 'vercel.json', headers: '_headers' } as const

/** Parses the rules of a bundle once and whole. Null stands for a missing file. Rules may have `mount` in their addresses or not. */
export const parseBundleRules = (files: Record<keyof typeof ruleFiles, string | null>, mount = '/'): BundleRules => {
  const below = <To extends string | null>(address: To) =>
    address !== null && `${address}/`.startsWith(mount) ? `/${address.slice(mount.length)}` : address
  const written = [...readRedirectLines(files.redirects ?? ''), ...readVercelRules(files.vercel ?? '')]
  const { rules, leftOut } = acceptRules(written.map((one) => ({ ...one, from: below(one.from), to: below(one.to) })))
  const lines = readHeaderLines(files.headers ?? '')
  const headers = acceptHeaders(lines.map((one) => ({ ...one, from: below(one.from) })))
  return { rules, leftOut: [...leftOut, ...headers.leftOut], headers: headers.headers }
}

/** Rules of a manifest that an earlier version wrote: it read no status, so all of them redirect for now. */
export const readEarlierRules = (redirects: readonly { from: string; to: string }[]): BundleRules => ({
  ...acceptRules(redirects.map(({ from, to }) => ({ from, to, status: 302, file: '_redirects' }))),
  headers: [],
})

/** Redirects as earlier versions read them from a manifest. */
export const toEarlierRedirects = ({ rules }: BundleRules): { from: string; to: string }[] =>
  rules.flatMap(({ from, to, status, query }) =>
    to === null || !isRedirect({ status }) || query !== undefined || /\/:/.test(from)
      ? []
      : [{ from: escapeLocation(from), to }],
  )

const file = 'vercel.json'
const names = /^(?:\/(?:[^/:()[\]{}?+*\\|^$]*|:[a-z]\w*(?:\(\\d\+\))?))*$/i
const rest = /\/(?::([a-z]\w*)(?:([*+])|\(\.\*\))|\(\.\*\))$/i

/** In the syntax of `_redirects`: names, numbers, and a rest at the end. Any other pattern has a condition. */
const readRule = (rule: Record<string, unknown>, status: number, isForced: boolean): WrittenRule[] => {
  const { source, destination } = rule
  if (typeof source !== 'string' || typeof destination !== 'string') return []
  const written = { from: source, to: destination, status, isForced, file }
  const limit = ['has', 'missing'].find((name) => name in rule)
  if (limit !== undefined) return [{ ...written, condition: `it has the condition “${limit}”` }]
  const [all = '', name = '1', sign] = rest.exec(source) ?? []
  const bare = source.slice(0, source.length - all.length)
  const to = all === '' ? destination : destination.replaceAll(new RegExp(`[:$]${name}\\b[*+]?`, 'g'), ':splat')
  if (!names.test(bare) || /\$\d/.test(to))
    return [{ ...written, condition: 'its pattern has more than names, numbers and a rest at its end' }]
  const from = bare.replaceAll(String.raw`(\d+)`, '(number)')
  const whole = { ...written, from: all === '' ? from : `${from}/*`, to }
  return sign === '*' && from !== '' ? [{ ...whole, from, to: to.replace(/\/?:splat/, '') || '/' }, whole] : [whole]
}

/** Redirects count before files, and rewrites after them. Routes and headers are left out by name. */
const readVercelRules = (text: string): WrittenRule[] => {
  const settings = parseJson(text) as Record<string, unknown> | null
  const list = (name: string) => {
    const all = settings?.[name]
    return Array.isArray(all) ? all.map((one: unknown) => (one ?? {}) as Record<string, unknown>) : []
  }
  const leaveOut = (name: string, key: string, condition: string): WrittenRule[] =>
    list(name).flatMap(({ [key]: from }) =>
      typeof from === 'string' ? [{ from, to: null, status: 200, condition, file }] : [],
    )
  return [
    ...list('redirects').flatMap((one) => {
      const { statusCode, permanent } = one
      return readRule(one, typeof statusCode === 'number' ? statusCode : permanent === false ? 307 : 308, true)
    }),
    ...list('rewrites').flatMap((one) => readRule(one, 200, false)),
    ...leaveOut('routes', 'src', 'routes are regular expressions'),
    ...leaveOut('headers', 'source', 'Docket reads headers from _headers only'),
  ]
}
