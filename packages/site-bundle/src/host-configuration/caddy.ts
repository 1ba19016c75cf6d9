import { hiddenPath } from '#locator/hidden-files.ts'
import { hashedEnding } from '#locator/hashed-names.ts'
import {
  forever,
  revalidate,
  safeHeaders,
  simplifyRules,
  type ConfigurationFile,
  type HostedSite,
} from './hosted-site.ts'
import { pageEndings, type HostedRule } from './located-site.ts'
import { fillNames, listNames, matchAsked, matchCharacters, matchForms, matchRule, writeComment } from './text.ts'

/** A text in a map, in which `$` begins a reference. */
const quote = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('$', '$$$$')}"`

/** Caddy reads placeholders and variables of the environment wherever they are. */
const isWritable = (text: string) => !text.includes('{')

const writeMap = (input: string, output: string, lines: readonly string[], otherwise = '""') => [
  `map ${input} ${output} {`,
  ...lines.map((line) => `\t${line}`),
  `\tdefault ${otherwise}`,
  '}',
]

/** Matches the address as it was asked for: status, file, place, `?` or `&` in front of the query of the request, and fragment. */
const writeRule = (rule: HostedRule) => {
  const { exact, status, page, target } = rule
  const asked = matchRule(rule)
  const pattern = `\`~^${exact === null ? asked : asked.replaceAll('/', '(?:/|(?i:%2f))')}\\z\``
  if (target === null) return `${pattern} ${status} ${quote(page === null ? '' : `/${page}`)} "" "" ""`
  const fill = (text: string) => fillNames(quote(text), listNames(rule), (place) => `\${${place + 1}}`)
  return `${pattern} ${status} "" ${fill(target.address)} "${target.hasQuery ? '&' : '?'}" ${fill(target.fragment)}`
}

const isSame = (name: string, value: string) => `expression \`{docket_${name}} == "${value}"\``
const isSet = (name: string) => `expression \`{docket_${name}} != ""\``

/** Sends the file that a variable names. */
const serve = (name: string, file: string, hashed: number, status?: string) => [
  `route @${name} {`,
  ...indentLines([
    `rewrite * ${file}`,
    ...Array.from({ length: hashed }, (_, place) => `header @hashed${place} Cache-Control "${forever}"`),
    'header Content-Type {docket_type}',
    'file_server {',
    ...(status === undefined ? [] : [`\tstatus ${status}`]),
    '\tdisable_canonical_uris',
    '}',
  ]),
  '}',
]

const writeTypes = ({ types, typed, plainType }: HostedSite) => [
  'map {path} {docket_type} {',
  ...typed.map(({ path, type }) => `\t\`~^/${matchForms(path, matchCharacters)}\\z\` "${type}"`),
  ...types.map(({ ending, type }) => `\t\`~(?i)[^/]\\.${ending}\\z\` "${type}"`),
  `\tdefault "${plainType}"`,
  '}',
]

const indentLines = (lines: readonly string[]) => lines.map((line) => (line === '' ? '' : `\t${line}`))

/** Everything that is looked up by an address below the path of the site. */
const writeMaps = (site: HostedSite) => {
  const { path, exceptions, missing, rules } = site
  const named = [...exceptions].filter(([, file]) => file !== '/' && isWritable(file))
  const slashes = [...exceptions].filter(([, file]) => file === '/')
  const match = (address: string) => `\`~^/${matchCharacters(address)}\\z\``
  return [
    '# The address without a slash at its end, and below the path of the site.',
    ...writeMap('{docket_asked}', '{docket_bare}', ['`~^(.+)(?:/|%2[fF])\\z` "${1}"']),
    ...writeMap('{docket_asked}', '{docket_below}', [`\`~^${matchAsked(path.slice(0, -1))}(.*)\` "\${1}"`]),
    ...writeMap('{path}', '{docket_page}', ['`~(?s)^(/.+)/\\z` "${1}"'], '"/index"'),
    '# Pages with other endings or letters, and pages whose address has a slash more or less.',
    ...writeMap(
      '{path}',
      '{docket_named}',
      named.map(([address, file]) => `${match(address)} ${quote(`/${file}`)}`),
    ),
    ...writeMap(
      '{path}',
      '{docket_slash}',
      slashes.map(([address]) => `${match(address)} "${address.endsWith('/') ? 'less' : 'more'}"`),
    ),
    '# The nearest page for an unknown address.',
    ...writeMap(
      '{path}',
      '{docket_nearest}',
      missing
        .filter(({ page }) => isWritable(page))
        .map(({ folder, page }) => `\`~^/${matchForms(folder, matchCharacters)}\` ${quote(`/${page}`)}`),
    ),
    '# The rules of the bundle, in its order.',
    ...writeMap(
      '{docket_below}',
      '{docket_status} {docket_file} {docket_to} {docket_mark} {docket_fragment}',
      rules.filter(({ page }) => isWritable(page ?? '')).map(writeRule),
      '404 "" "" "" ""',
    ),
    ...writeMap('"{docket_mark}{http.request.orig_uri.query}"', '{docket_tail}', ['`~^([?&].+)\\z` "${1}"']),
    '',
  ]
}

const indexes = pageEndings.map((ending) => `index${ending}`)
const shown = `not path_regexp \`(?i)^/${hiddenPath}\\z\``

/** A matcher for readers' files with all of some properties. */
const matchAll = (name: string, ...matchers: string[]) => [
  `@${name} {`,
  ...[shown, ...matchers].map((matcher) => `\t${matcher}`),
  '}',
]

const [isFolder, isPlain] = ['path */', 'not path */']
const hasIndex = `file ${indexes.map((name) => `{path}${name}`).join(' ')}`
const hasFile = `file ${['', ...pageEndings].map((ending) => `{path}${ending}`).join(' ')}`
const hasPage = `file ${pageEndings.map((ending) => `{docket_page}${ending}`).join(' ')}`
const hasFolder = `file ${indexes.map((name) => `{path}/${name}`).join(' ')}`

const writeRoute = (site: HostedSite): string[] => {
  const hashed = site.hashedFolders.length
  const found = '{http.matchers.file.relative}'
  const serveAll = (name: string, matchers: readonly string[], file: string) => [
    ...matchAll(name, ...matchers),
    ...serve(name, file, hashed),
  ]
  const redirect = (name: string, matchers: readonly string[], to: string) => [
    ...matchAll(name, ...matchers),
    `redir @${name} ${to}{docket_query} 308`,
  ]
  return [
    ...writeMaps(site),
    ...site.hashedFolders.map(
      (folder, place) =>
        `@hashed${place} path_regexp ^${matchCharacters(folder.slice(site.path.length - 1))}.*${hashedEnding}$`,
    ),
    '# Files that are for readers, pages without their ending, and one address for each page.',
    ...serveAll('named', [isSet('named')], '{docket_named}'),
    ...serveAll('index', [isFolder, hasIndex], found),
    ...serveAll('plain', [isPlain, hasFile], found),
    ...redirect('less', [isSame('slash', 'less')], '{docket_bare}'),
    ...redirect('more', [isSame('slash', 'more')], '{docket_asked}/'),
    ...redirect('toPage', [isFolder, hasPage], '{docket_bare}'),
    ...redirect('toFolder', [isPlain, hasFolder], '{docket_asked}/'),
    '# What the rules say.',
    `@moved ${isSet('to')}`,
    'redir @moved {docket_to}{docket_tail}{docket_fragment} {docket_status}',
    `@shown ${isSame('status', '200')}`,
    ...serve('shown', '{docket_file}', hashed),
    `@own ${isSet('file')}`,
    ...serve('own', '{docket_file}', 0, '{docket_status}'),
    `@nearest ${isSet('nearest')}`,
    ...serve('nearest', '{docket_nearest}', 0, '{docket_status}'),
    'respond {docket_status}',
  ]
}

const writeSite = (site: HostedSite) => {
  const { name, path, siteFolder, notFound } = site
  const route = ['route {', ...indentLines(writeRoute(site)), '}']
  const earlier = [
    '# Addresses of the time before the site had its path.',
    `@start path ${path.slice(0, -1)}`,
    `redir @start ${path}{docket_query} 302`,
    `redir * ${path.slice(0, -1)}{http.request.orig_uri} 302`,
  ]
  const lines = [
    `root * "${siteFolder}"`,
    'encode gzip',
    'header {',
    ...Object.entries({ ...safeHeaders, 'Cache-Control': revalidate }).map(
      ([header, value]) => `\t${header} "${value}"`,
    ),
    '}',
    'route {',
    ...indentLines([
      '# The address as it was asked for, and its query.',
      'map {http.request.orig_uri} {docket_asked} {docket_query} {',
      '\t`~^([^?]*)(\\?.+)\\z` "${1}" "${2}"',
      '\t`~^([^?]*)` "${1}" ""',
      '}',
      '# Browsers would take a redirect of such an address for another host.',
      '@elsewhere expression `{docket_asked}.startsWith("//") || {docket_asked}.contains("\\\\")`',
      ...writeTypes(site),
      ...(notFound !== null && isWritable(notFound) ? serve('elsewhere', quote(`/${notFound}`), 0, '404') : []),
      'respond @elsewhere 404',
      ...(path === '/' ? route : [`handle_path ${path}* {`, ...indentLines(route), '}', ...earlier]),
    ]),
    '}',
  ]
  return [`${name} {`, ...indentLines(lines), '}', ''].join('\n')
}

/** Requires Caddy 2.6 or newer, which gets the certificate by itself. */
export const writeCaddy = (whole: HostedSite): ConfigurationFile[] => {
  const site = simplifyRules(whole)
  const name = `${site.name}.caddy`
  const head = writeComment('#', [
    `${site.name} for Caddy, made by Docket from the bundle ${site.sha256}.`,
    `Unpack the bundle to ${site.folder}, save this file as /etc/caddy/${name},`,
    `put the line “import ${name}” into /etc/caddy/Caddyfile, then: systemctl reload caddy`,
    `Without a certificate, write http://${site.name} instead of ${site.name}.`,
    ...site.notes,
    ...([...site.paths].every(isWritable)
      ? []
      : ['Files with a brace in their names are left out where Caddy would read it as something else.']),
  ])
  return [{ name, text: `${head}\n\n${writeSite(site)}` }]
}
