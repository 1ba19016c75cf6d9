import { hiddenPath } from '#locator/hidden-files.ts'
import { isExact } from '#locator/rule-matcher.ts'
import { splitTarget } from '#locator/addresses.ts'
import { hashedEnding } from '#locator/hashed-names.ts'
import { forever, revalidate, safeHeaders, type ConfigurationFile, type HostedSite } from './hosted-site.ts'
import { pageEndings, type HostedRule } from './located-site.ts'
import { encodeAddress, matchAsked, matchBytes, matchForms, writeComment } from './text.ts'

/** Escapes `%` and `$`, which would begin a reference in a rule's target. */
const escapeTarget = (text: string) => text.replaceAll(/[%$"]/g, String.raw`\$&`)

const matchAskedPath = (pattern: string) => `RewriteCond %{THE_REQUEST} "^\\S+ ${pattern}"`

/** Conditions and rule for a redirect; the query of the request goes in front of a fragment. */
const writeRedirect = (pattern: string, to: string, rule: HostedRule, names: readonly string[], asked: string[]) => {
  const { address, hasQuery, fragment } = splitTarget(to)
  const target = (text: string) =>
    escapeTarget(text).replaceAll(/:([a-z]\w*)/gi, (all, name: string) =>
      names.includes(name) ? `%${names.lastIndexOf(name) + 1}` : all,
    )
  const write = (text: string, flags: string) => `RewriteRule "${pattern}" "${text}" [R=${rule.status},NE,END${flags}]`
  if (rule.query !== undefined) return [...asked, write(target(address + fragment), hasQuery ? '' : ',QSD')]
  if (fragment === '') return [...asked, write(target(address), hasQuery ? ',QSA' : '')]
  // The last condition is the one that %1 reads.
  return [
    'RewriteCond %{QUERY_STRING} "."',
    ...asked,
    write(`${target(address)}${hasQuery ? '&' : '?'}%{QUERY_STRING}${target(fragment)}`, ''),
    ...asked,
    write(target(address + fragment), ',QSD'),
  ]
}

/** Matches the decoded address of a rule with one address; else all, under a condition about the address as it was asked for. */
const writeSource = (rule: HostedRule, mount: string) => {
  const { from, parts, hasRest, query } = rule
  const exact = `^${matchForms(mount + from.replace(/(.)\/$/, '$1').replace(/^\/$/, ''), matchBytes)}/?\\z`
  if (isExact(rule) && query === undefined) return { pattern: exact, names: [], asked: [] }
  const names = parts.flatMap((part) => ('name' in part ? part.name : []))
  const texts = parts.map((part) =>
    'text' in part ? matchForms(part.text, matchAsked) : part.isNumber ? '([0-9]+)' : '([^/? ]+)',
  )
  const rest = hasRest ? String.raw`/((?:[^/\x5c? ][^? ]*)?)` : '/?'
  const wanted = Object.entries(query ?? {}).map(([name, value]) => {
    if (value.startsWith(':')) names.push(value.slice(1))
    return `(?=(?:[^ ]*?&)?${matchAsked(name)}=${value.startsWith(':') ? '([^& ]*)' : matchAsked(value)}[& ])`
  })
  const path = `${matchAsked(mount)}${texts.map((text) => `/${text}`).join('')}${rest}`
  if (hasRest) names.splice(parts.filter((part) => 'name' in part).length, 0, 'splat')
  return {
    pattern: '^',
    names,
    asked: [matchAskedPath(path + (query === undefined ? '[? ]' : `\\?${wanted.join('')}`))],
  }
}

const writeBundleRules = (site: HostedSite, rules: readonly HostedRule[]) =>
  rules.flatMap((rule) => {
    const mount = site.path.slice(0, -1)
    const { pattern, names, asked } = writeSource(rule, mount)
    const { status, to, page } = rule
    if (status === 200 && page !== null)
      return [...asked, `RewriteRule "${pattern}" "${site.siteFolder}/${escapeTarget(page)}" [END]`]
    if (status === 200 || status > 400)
      return [...asked, `RewriteRule "${pattern}" - [R=${status === 200 ? 404 : status},END]`]
    return writeRedirect(pattern, to!.startsWith('/') ? mount + to! : to!, rule, names, asked)
  })

const writeRules = (site: HostedSite) => {
  const { path, siteFolder, exceptions, rules } = site
  const below = matchBytes(path)
  const asked = matchAskedPath('([^? ]+)[? ]')
  const isFile = (text: string) => `RewriteCond "${siteFolder}/${text}" -f`
  const [folder, plain, withSlash] = ['((?:.+/)?)', '(.*[^/])', '(.+)/']
  const indexes = pageEndings.map((ending) => `index${ending}`)
  /** Files by the pattern of their address, and what would be there with a slash more or less. */
  const served = [
    ...indexes.map((name) => [folder, `$1${name}`]),
    ...['', ...pageEndings].map((ending) => [plain, `$1${ending}`]),
  ] as [string, string][]
  const slashed = [
    ...pageEndings.map((ending) => [withSlash, `$1${ending}`]),
    ...indexes.map((name) => [plain, `$1/${name}`]),
  ] as [string, string][]
  const toSlashed = (pattern: string, isFolder: boolean) => [
    isFolder ? matchAskedPath('([^? ]+)(?:/|%2[fF])[? ]') : asked,
    `RewriteRule "${pattern}" "${isFolder ? '%1' : '%1/'}" [R=308,NE,END]`,
  ]
  const files = [
    '# The files, pages without their ending, and one address for each page.',
    ...[...exceptions].flatMap(([address, file]) =>
      file === '/'
        ? toSlashed(`^${below}${matchBytes(address)}\\z`, address.endsWith('/'))
        : [`RewriteRule "^${below}${matchBytes(address)}\\z" "${siteFolder}/${escapeTarget(file)}" [END]`],
    ),
    ...served.flatMap(([pattern, file]) => [
      isFile(file),
      `RewriteRule "^${below}${pattern}\\z" "${siteFolder}/${file}" [END]`,
    ]),
    ...slashed.flatMap(([pattern, file]) => [
      isFile(file),
      ...toSlashed(`^${below}${pattern}\\z`, pattern === withSlash),
    ]),
  ]
  const skipped = files.filter((line) => line.startsWith('RewriteRule')).length
  const toMount = (pattern: string, conditions: readonly string[] = [], beside = `|/${hiddenPath}\\z`) => [
    `RewriteCond %{REQUEST_URI} "!^(?:${below}${beside})" [NC]`,
    ...conditions,
    asked,
    `RewriteRule "${pattern}" "${path.slice(0, -1)}%1" [R=302,NE,END]`,
  ]
  const elsewhere = [
    '# Addresses of the time before the site had its path.',
    ...[...exceptions.keys()].flatMap((address) => toMount(`^/${matchBytes(address)}\\z`)),
    ...[...served, ...slashed].flatMap(([pattern, file]) => toMount(`^/${pattern}\\z`, [isFile(file)])),
    ...rules.flatMap((rule) => {
      const source = writeSource(rule, '')
      if (rule.status < 400 && (rule.status > 200 || rule.page !== null))
        return toMount(source.pattern, source.asked, '')
      return [...source.asked, `RewriteRule "${source.pattern}" - [R=${rule.status === 410 ? 410 : 404},END]`]
    }),
  ]
  return [
    'RewriteEngine On',
    '# Browsers would take a redirect of such an address for another host.',
    matchAskedPath('/[/\\x5c]'),
    'RewriteRule "^" - [R=404,END]',
    ...(path === '/' || !site.hasStart ? [] : [`RewriteRule "^${below.slice(0, -1)}\\z" "${path}" [R=302,END]`]),
    ...writeBundleRules(
      site,
      rules.filter(({ isForced }) => isForced === true),
    ),
    '# What is not for readers.',
    `RewriteRule "^${below}${hiddenPath}\\z" - [NC,S=${skipped}]`,
    ...files,
    '# The rules of the bundle, in its order.',
    ...writeBundleRules(site, rules),
    ...(path === '/' ? [] : elsewhere),
    'RewriteRule "^" - [R=404,END]',
  ]
}

/** Pages for unknown addresses: the last section that fits counts. */
const writeErrorPages = ({ path, missing, rules }: HostedSite) => {
  const write = (page: string) =>
    [404, 410].map((status) => `ErrorDocument ${status} ${path}${encodeAddress(page).replaceAll("'", '%27')}`)
  const mount = matchBytes(path.slice(0, -1))
  return [
    ...missing
      .toReversed()
      .flatMap(({ folder, page }) =>
        folder === ''
          ? write(page)
          : writeSection(`LocationMatch "^(?:${mount})?/${matchForms(folder, matchBytes)}"`, write(page)),
      ),
    ...rules.toReversed().flatMap(({ status, page, parts, hasRest }) => {
      if (status < 400 || page === null) return []
      const texts = parts.map((part) => ('text' in part ? matchForms(part.text, matchBytes) : '[^/]+'))
      return writeSection(
        `LocationMatch "^(?:${mount})?/${texts.join('/')}${hasRest ? (texts.length === 0 ? '' : '/') : '/?$'}"`,
        write(page),
      )
    }),
  ]
}

const writeSection = (name: string, lines: readonly string[]) => [
  `<${name}>`,
  ...lines.map((line) => `  ${line}`),
  `</${name.split(' ', 1)[0]}>`,
]

const writeHost = (site: HostedSite) => {
  const { name, path, siteFolder, types, typed, plainType, compressible, hashedFolders } = site
  const lines = [
    `ServerName ${name}`,
    `DocumentRoot "${siteFolder}"`,
    'AllowEncodedSlashes On',
    ...writeSection(`Directory "${siteFolder}"`, [
      'Require all granted',
      'Options FollowSymLinks',
      'AllowOverride None',
      '# Names of files decide the type, and nothing in them runs or says that a file is compressed.',
      `ForceType "${plainType}"`,
      'RemoveEncoding .gz .tgz .z .br .bz2 .xz .zst',
      'RemoveOutputFilter .shtml',
      ...types.flatMap(({ ending, type }) => writeSection(`FilesMatch "(?i)\\.${ending}$"`, [`ForceType "${type}"`])),
    ]),
    ...writeSection('Location "/"', ['SetHandler default-handler']),
    ...Object.entries(safeHeaders).map(([header, value]) => `Header always set ${header} "${value}"`),
    `Header set Cache-Control "${revalidate}"`,
    ...hashedFolders.flatMap((folder) =>
      writeSection(`LocationMatch "^${matchBytes(folder)}.*${hashedEnding}$"`, [
        `Header set Cache-Control "${forever}" "expr=%{REQUEST_STATUS} in {'200', '206', '304'}"`,
      ]),
    ),
    ...(compressible.length === 0
      ? []
      : [`AddOutputFilterByType DEFLATE ${compressible.map((type) => type.split(';', 1)[0]).join(' ')}`]),
    ...typed.flatMap(({ path: file, type }) =>
      writeSection(`LocationMatch "^${matchBytes(path)}${matchForms(file, matchBytes)}$"`, [`ForceType "${type}"`]),
    ),
    ...writeErrorPages(site),
    '',
    ...writeRules(site),
  ]
  return `${writeSection('VirtualHost *:80', lines)
    .join('\n')
    .replaceAll(/[ ]+\n/g, '\n')}\n`
}

export const writeApache = (site: HostedSite): ConfigurationFile[] => {
  const name = `${site.name}.conf`
  const head = writeComment('#', [
    `${site.name} for Apache, made by Docket from the bundle ${site.sha256}.`,
    `Unpack the bundle to ${site.folder}, save this file as /etc/apache2/sites-available/${name}, then:`,
    `a2enmod rewrite headers deflate && a2ensite ${site.name} && systemctl reload apache2`,
    'For HTTPS, write *:443 instead of *:80, and add SSLEngine on, SSLCertificateFile and SSLCertificateKeyFile.',
    ...([...site.paths].some((path) => path.includes('?'))
      ? ['Apache refuses addresses of files with a question mark in their names, so these are left out.']
      : []),
    ...site.notes,
  ])
  return [{ name, text: `${head}\n\n${writeHost(site)}` }]
}
