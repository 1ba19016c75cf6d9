import { hiddenPath } from '#locator/hidden-files.ts'
import { isExact } from '#locator/rule-matcher.ts'
import { splitTarget } from '#locator/addresses.ts'
import { hashedEnding } from '#locator/hashed-names.ts'
import { forever, revalidate, safeHeaders, type ConfigurationFile, type HostedSite } from './hosted-site.ts'
import { pageEndings, type HostedRule } from './located-site.ts'
import { matchAsked, matchCharacters, matchForms, writeComment } from './text.ts'

/** A text in a map, in which `$` begins a reference. */
const quote = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('$', '$$$$')}"`

/** Caddy reads placeholders and variables of the environment wherever they are. */
const isWritable = (text: string) => !text.includes('{')

const writeMap = (input: string, outputs: readonly string[], lines: readonly string[]) => [
  `map ${input} ${outputs.map((name) => `{docket_${name}}`).join(' ')} {`,
  ...lines.map((line) => `\t${line}`),
  `\tdefault ${outputs.map(() => '""').join(' ')}`,
  '}',
]

/** Status, place, `?` or `&` in front of the query of the request, fragment, and file. */
const writeOutputs = (rule: HostedRule, site: HostedSite, names: readonly string[]) => {
  const { status, to, page, query } = rule
  if (status === 200 && page === null) return '404 "" "" "" ""'
  if (to === null || status < 300 || status > 399) return `${status} "" "" "" ${quote(page === null ? '' : `/${page}`)}`
  const { address, hasQuery, fragment } = splitTarget(to.startsWith('/') ? site.path.slice(0, -1) + to : to)
  const fill = (text: string) =>
    quote(text).replaceAll(/:([a-z]\w*)/gi, (all, name: string) =>
      names.includes(name) ? `\${${names.lastIndexOf(name) + 1}}` : all,
    )
  return `${status} ${fill(address)} "${query !== undefined ? '' : hasQuery ? '&' : '?'}" ${fill(fragment)} ""`
}

/** Matches the address as it was asked for, a space, and the query. */
const writeRule = (rule: HostedRule, site: HostedSite) => {
  const { parts, hasRest, query = {} } = rule
  const names = parts.flatMap((part) => ('name' in part ? part.name : []))
  const texts = parts.map((part) =>
    'text' in part ? matchForms(part.text, matchAsked) : part.isNumber ? '([0-9]+)' : '([^/ ]+)',
  )
  if (hasRest) names.push('splat')
  const wanted = Object.entries(query).map(([name, value]) => {
    if (value.startsWith(':')) names.push(value.slice(1))
    return String.raw`(?:[^ ]*&)?${matchAsked(name)}=${value.startsWith(':') ? '([^& ]*)' : matchAsked(value)}(?:&[^ ]*)?\z`
  })
  const slash = isExact(rule) ? '(?:/|(?i:%2f))' : '/'
  const address = texts.map((text, place) => (place === 0 ? '/' : slash) + text).join('')
  const rest = hasRest ? String.raw`/((?:[^/\\ ][^ ]*)?)` : `${slash}?`
  return `\`~^${address}${rest} ${wanted[0] ?? ''}\` ${writeOutputs(rule, site, names)}`
}

const writeRules = (site: HostedSite, kind: string, rules: readonly HostedRule[]) =>
  writeMap(
    '"{docket_below} {http.request.orig_uri.query}"',
    ['', '_to', '_mark', '_fragment', '_page'].map((name) => kind + name),
    rules.map((rule) => writeRule(rule, site)),
  )

const isSame = (name: string, value: string) => `expression \`{docket_${name}} == "${value}"\``
const isSet = (name: string) => `expression \`{docket_${name}} != ""\``

/** Sends the file that a variable names. */
const serve = (file: string, hashed: number, status?: number) => [
  `rewrite * ${file}`,
  ...Array.from(
    { length: status === undefined ? hashed : 0 },
    (_, place) => `header @hashed${place} Cache-Control "${forever}"`,
  ),
  'header Content-Type {docket_type}',
  'file_server {',
  ...(status === undefined ? [] : [`\tstatus ${status}`]),
  '\tdisable_canonical_uris',
  '}',
]

const handle = (name: string, matcher: string, lines: readonly string[]) => [
  `@${name} ${matcher}`,
  `route @${name} {`,
  ...indentLines(lines),
  '}',
]

/** The page of a rule, or else the nearest one, with a status. */
const writeError = (status: number, kind: string | null) => [
  ...(kind === null
    ? []
    : handle(`${kind}${status}_own`, isSet(`${kind}_page`), serve(`{docket_${kind}_page}`, 0, status))),
  ...handle(`${kind ?? 'missing'}${status}_nearest`, isSet('nearest'), serve('{docket_nearest}', 0, status)),
  `respond ${status}`,
]

/** What a rule says: a redirect, a file, or a status with its page. */
const followRules = (kind: string, rules: readonly HostedRule[], hashed: number) => {
  const has = (...some: number[]) => rules.some(({ status }) => some.includes(status))
  return [
    ...[301, 302, 303, 307, 308]
      .filter((status) => has(status))
      .flatMap((status) => [
        `@${kind}${status} ${isSame(kind, String(status))}`,
        `redir @${kind}${status} {docket_${kind}_to}{docket_${kind}_tail}{docket_${kind}_fragment} ${status}`,
      ]),
    ...(has(404, 200) ? handle(`${kind}404`, isSame(kind, '404'), writeError(404, kind)) : []),
    ...(has(410) ? handle(`${kind}410`, isSame(kind, '410'), writeError(410, kind)) : []),
    ...(has(200) ? handle(`${kind}200`, isSame(kind, '200'), serve(`{docket_${kind}_page}`, hashed)) : []),
  ]
}

const writeTail = (kind: string) => [
  `map "{docket_${kind}_mark}{http.request.orig_uri.query}" {docket_${kind}_tail} {`,
  '\t`~^([?&].+)\\z` "${1}"',
  '\tdefault ""',
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

/** Everything that is looked up by the path below `mount`. */
const writeMaps = (site: HostedSite, mount: string) => {
  const { exceptions, queried, missing, rules } = site
  const named = [...exceptions].filter(([, file]) => file !== '/' && isWritable(file))
  const slashes = [...exceptions].filter(([, file]) => file === '/')
  const match = (address: string) => `\`~^/${matchCharacters(address)}\\z\``
  return [
    '# The address as it was asked for, without a slash at its end, below the path of the site, and its query.',
    'map {http.request.orig_uri} {docket_asked} {docket_query} {',
    '\t`~^([^?]*)(\\?.+)\\z` "${1}" "${2}"',
    '\t`~^([^?]*)` "${1}" ""',
    '}',
    'map {docket_asked} {docket_bare} {',
    '\t`~^(.+)(?:/|%2[fF])\\z` "${1}"',
    '}',
    'map {docket_asked} {docket_below} {',
    `\t\`~^${mount}(.*)\` "\${1}"`,
    '}',
    'map {path} {docket_page} {',
    '\t`~(?s)^(/.+)/\\z` "${1}"',
    '\tdefault "/index"',
    '}',
    '# Pages with other endings or letters, and pages whose address has a slash more or less.',
    ...writeMap(
      '{path}',
      ['named'],
      named.map(([address, file]) => `${match(address)} ${quote(`/${file}`)}`),
    ),
    ...writeMap(
      '{path}',
      ['slash'],
      slashes.map(([address]) => `${match(address)} "${address.endsWith('/') ? 'less' : 'more'}"`),
    ),
    ...writeMap(
      '"{path} {http.request.orig_uri.query}"',
      ['queried'],
      queried
        .filter(({ file }) => isWritable(file))
        .map(
          ({ address, query, file }) =>
            `\`~^/${matchForms(address, matchCharacters)} ${matchForms(query, matchAsked)}\\z\` ${quote(`/${file}`)}`,
        ),
    ),
    '# The nearest page for an unknown address.',
    ...writeMap(
      '{path}',
      ['nearest'],
      missing
        .filter(({ page }) => isWritable(page))
        .map(({ folder, page }) => `\`~^/${matchForms(folder, matchCharacters)}\` ${quote(`/${page}`)}`),
    ),
    '# The rules of the bundle, in its order.',
    ...writeRules(site, 'rule', rules),
    ...writeTail('rule'),
    ...writeRules(
      site,
      'forced',
      rules.filter(({ isForced }) => isForced === true),
    ),
    ...writeTail('forced'),
    ...writeTypes(site),
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
  const handleAll = (name: string, matchers: readonly string[], file: string) => [
    ...matchAll(name, ...matchers),
    `route @${name} {`,
    ...indentLines(serve(file, hashed)),
    '}',
  ]
  const redirect = (name: string, matchers: readonly string[], to: string) => [
    ...matchAll(name, ...matchers),
    `redir @${name} ${to} 308`,
  ]
  const [more, less] = ['{docket_asked}/{docket_query}', '{docket_bare}{docket_query}']
  return [
    ...writeMaps(site, matchAsked(site.path.slice(0, -1))),
    ...site.hashedFolders.map(
      (folder, place) =>
        `@hashed${place} path_regexp ^${matchCharacters(folder.slice(site.path.length - 1))}.*${hashedEnding}$`,
    ),
    '# Browsers would take a redirect of such an address for another host.',
    '@elsewhere expression `{http.request.orig_uri.path}.startsWith("//") || {http.request.orig_uri.path}.contains("\\\\")`',
    'respond @elsewhere 404',
    ...followRules(
      'forced',
      site.rules.filter(({ isForced }) => isForced === true),
      hashed,
    ),
    '# Files that are for readers, pages without their ending, and one address for each page.',
    ...handleAll('queried', [isSet('queried')], '{docket_queried}'),
    ...handleAll('named', [isSet('named')], '{docket_named}'),
    ...handleAll('index', [isFolder, hasIndex], found),
    ...handleAll('file', [isPlain, hasFile], found),
    ...redirect('less', [isSame('slash', 'less')], less),
    ...redirect('more', [isSame('slash', 'more')], more),
    ...redirect('toPage', [isFolder, hasPage], less),
    ...redirect('toFolder', [isPlain, hasFolder], more),
    ...followRules('rule', site.rules, hashed),
    ...writeError(404, null),
  ]
}

/** Addresses of the time before the site had its path. */
const writeElsewhere = (site: HostedSite): string[] => {
  const to = `${site.path.slice(0, -1)}{http.request.orig_uri} 302`
  const toMount = (name: string, ...matchers: string[]) => [...matchAll(name, ...matchers), `redir @${name} ${to}`]
  const errors = site.rules.filter(({ status, page }) => status > 400 || (status === 200 && page === null))
  return [
    ...writeMaps(site, ''),
    ...(site.hasStart ? [`@start path ${site.path.slice(0, -1)}`, `redir @start ${site.path}{docket_query} 302`] : []),
    ...['named', 'slash', 'queried'].flatMap((name) => toMount(name, isSet(name))),
    ...toMount('index', isFolder, hasIndex),
    ...toMount('file', isPlain, hasFile),
    ...toMount('toPage', isFolder, hasPage),
    ...toMount('toFolder', isPlain, hasFolder),
    '@ruled expression `{docket_rule} != "" && {docket_rule} < "400"`',
    `redir @ruled ${to}`,
    ...followRules('rule', errors, 0),
    ...writeError(404, null),
  ]
}

const writeSite = (site: HostedSite) => {
  const { name, path, siteFolder } = site
  const route = ['route {', ...indentLines(writeRoute(site)), '}']
  const mounted =
    path === '/'
      ? route
      : [
          `handle_path ${path}* {`,
          ...indentLines(route),
          '}',
          'handle {',
          ...indentLines(['route {', ...indentLines(writeElsewhere(site)), '}']),
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
    ...([...site.paths].some((path) => /[?{]/.test(path))
      ? [
          'Files with a question mark or a brace in their names are left out where Caddy would read these as something else.',
        ]
      : []),
    ...site.notes,
  ])
  return [{ name, text: `${head}\n\n${writeSite(site)}` }]
}
