import { hiddenPath } from '#locator/hidden-files.ts'
import { splitTarget } from '#locator/addresses.ts'
import {
  forever,
  hashedEnding,
  revalidate,
  safeHeaders,
  type ConfigurationFile,
  type HostedSite,
} from './hosted-site.ts'
import { matchAsked, matchCharacters, writeComment } from './text.ts'

/** One output takes the query of a request after `?`, the other after `&`; the last is the fragment. */
const writeTarget = (to: string) => {
  const { address, hasQuery, fragment } = splitTarget(to)
  return hasQuery ? `"" "${address}" "${fragment}"` : `"${address}" "" "${fragment}"`
}

const writeMap = (input: string, kind: string, rules: readonly string[]) => [
  `map ${input} {docket_${kind}} {docket_${kind}_asking} {docket_${kind}_fragment} {`,
  ...rules.map((rule) => `\t${rule}`),
  '\tdefault "" "" ""',
  '}',
]

const writeRedirects = ({ exact, prefixes }: HostedSite) => {
  const rules = exact.map(({ from, to }) => `\`~^${matchCharacters(from)}/?\\z\` ${writeTarget(to)}`)
  const below = prefixes.map(({ from, before, after }) => {
    const to = after === null ? writeTarget(before) : writeTarget(`${before}\0${after}`).replace('\0', '${1}')
    return `\`~^${matchAsked(from)}((?:[^/\\\\].*)?)\\z\` ${to}`
  })
  return [...writeMap('{http.request.orig_uri.path}', 'exact', rules), ...writeMap('{docket_asked}', 'prefix', below)]
}

const writeTypes = ({ types }: HostedSite) => [
  'map {path} {docket_type} {',
  ...types.map(({ ending, type }) => `\t\`~(?i)\\.${ending}\\z\` "${type}"`),
  '\tdefault application/octet-stream',
  '}',
  'header Content-Type {docket_type}',
]

const writeNotFound = ({ notFound }: HostedSite) =>
  notFound === null
    ? ['respond 404']
    : [
        `rewrite * /${notFound}`,
        'header Content-Type text/html',
        'file_server {',
        '\tstatus 404',
        '\tdisable_canonical_uris',
        '}',
      ]

const writeMissing = (site: HostedSite) => [
  ...['exact', 'exact_asking', 'prefix', 'prefix_asking'].flatMap((name) => [
    `@${name} expression \`{docket_${name}} != ""\``,
    `redir @${name} {docket_${name}}{docket_${name.endsWith('_asking') ? 'and' : 'query'}}{docket_${name.split('_', 1)[0]}_fragment} 302`,
  ]),
  ...writeNotFound(site),
]

const indentLines = (lines: readonly string[]) => lines.map((line) => (line === '' ? '' : `\t${line}`))

const writeRoute = (site: HostedSite): string[] => [
  '# The address as it was asked for, without a slash at its end, and its query.',
  'map {http.request.orig_uri} {docket_asked} {docket_query} {docket_and} {',
  '\t`~^([^?]*)\\?(.+)\\z` "${1}" "?${2}" "&${2}"',
  '\t`~^([^?]*)` "${1}" "" ""',
  '}',
  'map {docket_asked} {docket_bare} {',
  '\t`~^(.+)/\\z` "${1}"',
  '}',
  'map {path} {docket_page} {',
  '\t`~(?s)^(/.+)/\\z` "${1}"',
  '\tdefault "/index"',
  '}',
  '# The redirects of the bundle, in its order.',
  ...writeRedirects(site),
  '',
  '# Browsers would take a redirect of such an address for another host.',
  '@elsewhere expression `{http.request.orig_uri.path}.startsWith("//") || {http.request.orig_uri.path}.contains("\\\\")`',
  'respond @elsewhere 404',
  '# What is not for readers.',
  `@hidden path_regexp \`(?i)^/${hiddenPath}\\z\``,
  'handle @hidden {',
  ...indentLines(writeNotFound(site)),
  '}',
  '@index {',
  '\tpath */',
  '\tfile {path}index.html',
  '}',
  'rewrite @index {http.matchers.file.relative}',
  '@page {',
  '\tnot path */',
  '\tfile {path} {path}.html',
  '}',
  'rewrite @page {http.matchers.file.relative}',
  '@toPage {',
  '\tpath */',
  '\tfile {docket_page}.html',
  '}',
  'redir @toPage {docket_bare}{docket_query} 308',
  '@missing not file {path}',
  'handle @missing {',
  ...indentLines([
    '@toFolder file {path}/index.html',
    'redir @toFolder {docket_asked}/{docket_query} 308',
    ...writeMissing(site),
  ]),
  '}',
  ...site.hashedFolders.flatMap((folder, place) => [
    `@hashed${place} path_regexp ^${matchCharacters(folder.slice(site.path.length - 1))}.*${hashedEnding}$`,
    `header @hashed${place} Cache-Control "${forever}"`,
  ]),
  ...writeTypes(site),
  'file_server {',
  '\tdisable_canonical_uris',
  '}',
]

const writeSite = (site: HostedSite) => {
  const { name, path, siteFolder } = site
  const route = ['route {', ...indentLines(writeRoute(site)), '}']
  const mounted =
    path === '/'
      ? route
      : [
          `redir ${path.slice(0, -1)} ${path} 308`,
          `handle_path ${path}* {`,
          ...indentLines(route),
          '}',
          'handle {',
          '\trespond 404',
          '}',
        ]
  const lines = [
    `root * "${siteFolder}"`,
    'encode gzip',
    'header {',
    ...Object.entries({ ...safeHeaders, 'Cache-Control': revalidate }).map(
      ([header, value]) => `\t${header} "${value}"`,
    ),
    '}',
    ...mounted,
  ]
  return [`${name} {`, ...indentLines(lines), '}', ''].join('\n')
}

/** Requires Caddy 2.6 or newer, which gets the certificate by itself. */
export const writeCaddy = (site: HostedSite): ConfigurationFile[] => {
  const name = `${site.name}.caddy`
  const head = writeComment('#', [
    `${site.name} for Caddy, made by Docket from the bundle ${site.sha256}.`,
    `Unpack the bundle to ${site.folder}, save this file as /etc/caddy/${name},`,
    `put the line “import ${name}” into /etc/caddy/Caddyfile, then: systemctl reload caddy`,
    `Without a certificate, write http://${site.name} instead of ${site.name}.`,
    ...site.notes,
  ])
  return [{ name, text: `${head}\n\n${writeSite(site)}` }]
}
