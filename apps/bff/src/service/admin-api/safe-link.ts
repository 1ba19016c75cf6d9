import { isLoopbackHost } from '@docket/outbound/addresses'
import type { UpstreamLink } from '@docket/api-types/list'
import { isCredentialName } from '#service/admin-api/wire/wire-values.ts'

const longest = 2048
// Control, bidirectional, zero-width and replacement characters, every kind of space, and the backslash that URL takes for a slash.
const suspicious = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\ufffd\\]/u
const authority = /^(https?):\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[::1\])(?::(\d{1,5}))?(?=[/?#]|$)/i

// Such a link would store credentials in histories and logs, and let readers act as another person.
const carriesCredentials = (url: URL): boolean =>
  [url.searchParams, new URLSearchParams(url.hash.slice(1))].some((parameters) =>
    [...parameters.keys()].some(isCredentialName),
  )

const parseSafeUrl = (text: string, allowLoopbackHttp: boolean): URL | null => {
  if (text.length > longest || !text.isWellFormed() || suspicious.test(text)) return null
  const match = authority.exec(text)
  const url = match === null ? null : URL.parse(text)
  if (match === null || url === null) return null
  // A host that the parser changed (a number as an address, an encoded dot) is not the host that the reader sees.
  if (url.hostname !== match[2]?.toLowerCase() || url.username !== '' || url.password !== '') return null
  if (carriesCredentials(url)) return null
  if (url.protocol === 'http:') return allowLoopbackHttp && isLoopbackHost(url.hostname) ? url : null
  return url.protocol === 'https:' ? url : null
}

const name = '[\\w.~][\\w.~-]*'
// Projects of Azure DevOps may have spaces in their names.
const azureName = '(?:[\\w.~-]|%20)+'
// Groups: the parts of the repository, then the number.
const patterns: { path: RegExp; mark: string }[] = [
  { path: new RegExp(`^/((?:${name}/)+${name})(?:/-)?/merge_requests/(\\d{1,10})(?:/|$)`), mark: '!' },
  // Bitbucket Data Center must come before the shorter form of Bitbucket Cloud.
  {
    path: new RegExp(`^/(?:${name}/)*?(?:projects|users)/(${name})/repos/(${name})/pull-requests/(\\d{1,10})(?:/|$)`),
    mark: '#',
  },
  {
    path: new RegExp(`^/(?:(?:${azureName}/)*(${azureName})/)?_git/(${azureName})/pullrequest/(\\d{1,10})(?:/|$)`),
    mark: '!',
  },
  { path: new RegExp(`^/(?:${name}/)*?(${name}/${name})/(?:pulls?|pull-requests)/(\\d{1,10})(?:/|$)`), mark: '#' },
]
// Pages of a repository, whose path is not the repository's name.
const page =
  /\/(?:pulls?|pull-requests|pullrequests?|merge_requests|issues|tree|blob|commits?|wiki|releases|actions|compare)(?:\/|$)/
const repository = new RegExp(`^/((?:${name}/)+${name}?)/?$`)

const formatLabel = (url: URL): string | null => {
  for (const { path, mark } of patterns) {
    const match = path.exec(url.pathname)
    if (match === null) continue
    const parts = match.slice(1).filter((part) => part !== undefined)
    const repositoryName = parts.slice(0, -1).join('/').replaceAll('%20', ' ')
    return `${repositoryName}${mark}${parts.at(-1) ?? ''}`
  }
  if (page.test(url.pathname)) return null
  const found = repository
    .exec(url.pathname)?.[1]
    ?.replace(/\/$/, '')
    .replace(/\.git$/, '')
  return found !== undefined && /^[^/]+(\/[^/]+){1,5}$/.test(found) ? found : null
}

/**
 * Checks an address from upstream (Admin API §2.1 `prLink`, `source.repository`). Sets `href` only for a link that leads to the address it
 * shows and contains no credential: https, or loopback http when allowed. Labels pull requests, merge requests and repositories.
 */
export const upstreamLink = (text: string, options: { allowLoopbackHttp: boolean }): UpstreamLink => {
  const url = parseSafeUrl(text, options.allowLoopbackHttp)
  if (url === null) return { text, href: null, host: null, label: null }
  return { text, href: url.href, host: url.host, label: formatLabel(url) }
}
