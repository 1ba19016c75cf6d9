import { encodeAddress } from '#locator/addresses.ts'
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
import {
  fillNames,
  listNames,
  matchAsked,
  matchBytes,
  matchForms,
  matchRule,
  noteLeftOut,
  toComment,
  writeComment,
} from './text.ts'

/** Escapes `%` and `$`, which would begin a reference in a rule's target. */
const escapeTarget = (text: string) => text.replaceAll(/[%$"]/g, String.raw`\$&`)

const matchAskedPath = (pattern: string) => `RewriteCond %{THE_REQUEST} "^\\S+ ${pattern}"`

const writeRule = (rule: HostedRule, { path, siteFolder }: HostedSite) => {
  const { exact, status, page, target } = rule
  const mount = path.slice(0, -1)
  const pattern = exact === null ? '^' : `^${matchForms(mount + exact, matchBytes)}/?\\z`
  const asked = exact === null ? [matchAskedPath(`${matchAsked(mount)}${matchRule(rule)}[? ]`)] : []
  const write = (to: string, flags: string) => [...asked, `RewriteRule "${pattern}" ${to} [${flags},END]`]
  if (status === 200) return write(`"${siteFolder}/${escapeTarget(page!)}"`, 'NE')
  if (target === null) return write('-', `R=${status}`)
  const fill = (text: string) => fillNames(escapeTarget(text), listNames(rule), (place) => `%${place + 1}`)
  const [address, fragment] = [fill(target.address), fill(target.fragment)]
  if (fragment === '') return write(`"${address}"`, `R=${status},NE${target.hasQuery ? ',QSA' : ''}`)
  // The query of the request goes in front of a fragment. The last condition is the one that %1 reads.
  return [
    'RewriteCond %{QUERY_STRING} "."',
    ...write(`"${address}${target.hasQuery ? '&' : '?'}%{QUERY_STRING}${fragment}"`, `R=${status},NE`),
    ...write(`"${address}${fragment}"`, `R=${status},NE,QSD`),
  ]
}

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
  return [
    'RewriteEngine On',
    '# Browsers would take a redirect of such an address for another host.',
    'RewriteCond %{ENV:REDIRECT_STATUS} "^$"',
    matchAskedPath('/[/\\x5c]'),
    'RewriteRule "^" - [R=404,END]',
    ...(path === '/'
      ? []
      : [
          '# Addresses of the time before the site had its path.',
          `RewriteRule "^${below.slice(0, -1)}\\z" "${path}" [R=302,END]`,
          asked,
          `RewriteRule "^(?!${below})" "${path.slice(0, -1)}%1" [R=302,NE,END]`,
        ]),
    '# What is not for readers.',
    `RewriteRule "^${below}${hiddenPath}\\z" - [NC,S=${skipped}]`,
    ...files,
    '# The rules of the bundle, in its order.',
    ...rules.flatMap((rule) => writeRule(rule, site)),
    'RewriteRule "^" - [R=404,END]',
  ]
}

/** Pages for unknown addresses: the last section that fits counts. */
const writeErrorPages = ({ path, missing }: HostedSite) =>
  missing.toReversed().flatMap(({ folder, page }) => {
    const address = `${path}${encodeAddress(page).replaceAll("'", '%27')}`
    const lines = [404, 410].map((status) => `ErrorDocument ${status} ${address}`)
    return folder === '' ? lines : writeSection(`LocationMatch "^${matchForms(path + folder, matchBytes)}"`, lines)
  })

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

export const writeApache = (whole: HostedSite): ConfigurationFile[] => {
  const site = simplifyRules(whole)
  const name = `${site.name}.conf`
  const head = writeComment('#', [
    `${site.name} for Apache, made by Docket from the bundle ${site.sha256}.`,
    `Unpack the bundle to ${site.folder}, save this file as /etc/apache2/sites-available/${name}, then:`,
    `a2enmod rewrite headers deflate && a2ensite ${site.name} && systemctl reload apache2`,
    'For HTTPS, write *:443 instead of *:80, and add SSLEngine on, SSLCertificateFile and SSLCertificateKeyFile.',
    ...site.notes,
    ...noteLeftOut(
      'Rules whose own page for the status 404 or 410 is left out: readers get the nearest 404 page',
      site.rules
        .filter(({ status, page }) => status > 400 && page !== null && page !== site.notFound)
        .map(({ from }) => toComment(from)),
    ),
  ])
  return [{ name, text: `${head}\n\n${writeHost(site)}` }]
}
