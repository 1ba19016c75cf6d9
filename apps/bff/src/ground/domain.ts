import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { refusedFieldError } from '#ground/errors/app-error.ts'

/** A hostname that the Admin API accepts (§4.2), and the changes made to the input. */
export type NormalisedDomain = {
  /** ASCII (punycode), lower case, without a trailing dot. */
  domain: string
  /** The same name in Unicode, when that differs. */
  unicode: string | null
  /** Messages about the changes, for the reader. Empty without a change. */
  notes: string[]
}

const refuseDomain = (message: string): never => {
  throw refusedFieldError('domain', message)
}

const quotes = /^["'`<«“‘„]+|["'`>»”’“]+$/gu
// Control characters, bidirectional marks, percent-escapes and blanks make a name look like another one.
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused
const deceptive = /[\u0000-\u0020\u007f-\u00a0\u200e\u200f\u2028-\u202f\u205f-\u2069\u3000%]/u
const invisible = /\u00ad|[\u200b-\u200d]|\ufeff|[\ufe00-\ufe0f]/gu
const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/u

/** Splits `text` at the first match; the second part begins with the match. */
const splitAtMatch = (text: string, at: RegExp): [string, string] => {
  const index = text.search(at)
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index)]
}

const joinParts = (parts: string[]) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`

const shortenText = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

/**
 * Removes everything around the host in pasted text. The notes name removed secrets (user names, queries) but never
 * repeat them.
 */
const stripToHost = (text: string): { host: string; removed: string[] } => {
  const removed: string[] = []
  const trimmed = text.trim()
  const bare = trimmed.replaceAll(quotes, '').trim()
  if (bare !== trimmed) removed.push('the quotes')
  const scheme = /^(?:[a-z][a-z0-9+.-]*:)?[/\\]{2}/iu.exec(bare)?.[0] ?? ''
  if (scheme !== '') removed.push(scheme)
  const [authority, tail] = splitAtMatch(bare.slice(scheme.length), /[/\\?#]/u)
  const [path, query] = splitAtMatch(tail, /[?#]/u)
  const at = authority.lastIndexOf('@')
  if (at !== -1) removed.push('the user name')
  const hostAndPort = authority.slice(at + 1).trim()
  const port = /^[^:]*(:\d*)$/u.exec(hostAndPort)?.[1] ?? ''
  if (port !== '') removed.push(port === ':' ? 'the colon' : `the port ${port.slice(1)}`)
  const dotted = hostAndPort.slice(0, hostAndPort.length - port.length)
  const host = dotted.replace(/[.。．｡]+$/u, '')
  if (host !== dotted) removed.push('the trailing dot')
  if (path !== '') removed.push(/^[/\\]+$/u.test(path) ? 'the trailing slash' : `the path ${shortenText(path)}`)
  if (query !== '') removed.push(query.startsWith('#') ? 'the fragment' : 'the query')
  return { host, removed }
}

/**
 * Parses a hostname from typed or pasted text: strips scheme, user name, port, path, query, quotes, trailing dot and
 * slash, and converts an international name to punycode. Accepts single labels such as `localhost`, but no IP
 * addresses. Throws `invalid_request` for `domain` when no hostname is left.
 */
export const normaliseDomain = (text: string): NormalisedDomain => {
  const { host, removed } = stripToHost(text)
  if (host === '') refuseDomain('Enter the domain of the site, such as docs.example.com.')
  if (host.includes(':') || host.startsWith('[') || isIP(host) !== 0)
    refuseDomain('This is an address, not a domain. Enter the name of the site, such as docs.example.com.')
  if (host.includes('*')) refuseDomain('A wildcard names many sites. Enter one domain, such as docs.example.com.')
  if (deceptive.test(host)) refuseDomain('Domains can’t contain spaces, percent signs or invisible characters.')
  const visible = host.replaceAll(invisible, '')
  if (visible !== host) removed.push('invisible characters')
  const domain = domainToASCII(visible)
  if (domain === '') refuseDomain('This is not a domain name. Enter one such as docs.example.com.')
  // The last label decides: `1.2.3`, `0x7f.1` and `2130706433` are ways to write an IPv4 address.
  if (isIP(domain) !== 0 || /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/u.test(domain))
    refuseDomain('This is an address, not a domain. Enter the name of the site, such as docs.example.com.')
  const labels = domain.split('.')
  if (labels.includes('')) refuseDomain('This domain has two dots in a row, or starts with one.')
  if (labels.some((part) => part.length > 63) || domain.length > 253)
    refuseDomain('This domain is too long. It can have 63 characters between two dots and 253 in total.')
  if (!labels.every((part) => label.test(part)))
    refuseDomain('Domains contain letters, digits, dots, and hyphens that don’t start or end a part.')
  const unicode = domainToUnicode(domain)
  const notes = removed.length === 0 ? [] : [`Removed ${joinParts(removed)}.`]
  if (/\P{ASCII}/u.test(visible)) notes.push(`The service receives ${domain}.`)
  return { domain, unicode: unicode === domain ? null : unicode, notes }
}
