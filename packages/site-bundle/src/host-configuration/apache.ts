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
import { matchAsked, matchBytes, writeComment } from './text.ts'

/** Escapes `%`, which would begin a reference in a rule's target. */
const escapeTarget = (text: string) => text.replaceAll('%', String.raw`\%`)

/** Conditions and rule for a target; the query of the request goes in front of a fragment. */
const writeRule = (pattern: string, to: string, condition: readonly string[]) => {
  const { address, hasQuery, fragment } = splitTarget(to)
  const target = (text: string) => escapeTarget(text).replace('\0', '%1')
  const rule = (text: string, flags: string) => `RewriteRule "${pattern}" "${text}" [R=302,NE,END${flags}]`
  const withFragment = target(address) + escapeTarget(fragment)
  if (fragment === '') return [...condition, rule(target(address), hasQuery ? ',QSA' : '')]
  // The last condition is the one that %1 reads.
  return [
    'RewriteCond %{QUERY_STRING} "."',
    ...condition,
    rule(`${target(address)}${hasQuery ? '&' : '?'}%{QUERY_STRING}${escapeTarget(fragment)}`, ''),
    ...condition,
    rule(withFragment, ',QSD'),
  ]
}

const matchAskedPath = (pattern: string) => `RewriteCond %{THE_REQUEST} "^\\S+ ${pattern}"`

const writeRedirects = ({ exact, prefixes }: HostedSite) => [
  ...exact.flatMap(({ from, to }) => writeRule(`^${matchBytes(from)}/?\\z`, to, [])),
  ...prefixes.flatMap(({ from, before, after }) =>
    writeRule('^', after === null ? before : `${before}\0${after}`, [
      matchAskedPath(`${matchAsked(from)}((?:[^/\\x5c? ][^? ]*)?)[? ]`),
    ]),
  ),
]

const writeRules = (site: HostedSite) => {
  const { path, siteFolder } = site
  const below = matchBytes(path)
  const file = (text: string) => `${siteFolder}/${text}`
  return [
    'RewriteEngine On',
    '# Browsers would take a redirect of such an address for another host.',
    matchAskedPath('/[/\\x5c]'),
    'RewriteRule "^" - [R=404,END]',
    ...(path === '/' ? [] : [`RewriteRule "^${below.slice(0, -1)}\\z" "${path}" [R=308,END]`]),
    '# What is not for readers.',
    `RewriteRule "^${below}${hiddenPath}\\z" - [NC,R=404,END]`,
    '# The files, and pages without their ending.',
    `RewriteCond "${file('$1index.html')}" -f`,
    `RewriteRule "^${below}((?:.+/)?)\\z" "${file('$1index.html')}" [END]`,
    `RewriteCond "${file('$1')}" -f`,
    `RewriteRule "^${below}(.*[^/])\\z" "${file('$1')}" [END]`,
    `RewriteCond "${file('$1.html')}" -f`,
    `RewriteRule "^${below}(.*[^/])\\z" "${file('$1.html')}" [END]`,
    '# Each page has one address.',
    `RewriteCond "${file('$1.html')}" -f`,
    matchAskedPath('([^? ]+)/[? ]'),
    `RewriteRule "^${below}(.+)/\\z" "%1" [R=308,NE,END]`,
    `RewriteCond "${file('$1/index.html')}" -f`,
    matchAskedPath('([^? ]+)[? ]'),
    `RewriteRule "^${below}(.*[^/])\\z" "%1/" [R=308,NE,END]`,
    '# The redirects of the bundle, in its order.',
    ...writeRedirects(site),
    'RewriteRule "^" - [R=404,END]',
  ]
}

const writeSection = (name: string, lines: readonly string[]) => [
  `<${name}>`,
  ...lines.map((line) => `  ${line}`),
  `</${name.split(' ', 1)[0]}>`,
]

const writeHost = (site: HostedSite) => {
  const { name, path, siteFolder, types, compressible, notFound, hashedFolders } = site
  const lines = [
    `ServerName ${name}`,
    `DocumentRoot "${siteFolder}"`,
    'AllowEncodedSlashes On',
    ...writeSection(`Directory "${siteFolder}"`, [
      'Require all granted',
      'Options FollowSymLinks',
      'AllowOverride None',
      '# Names of files decide the type, and nothing in them runs or says that a file is compressed.',
      'ForceType application/octet-stream',
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
    ...(notFound === null ? [] : [`ErrorDocument 404 ${path}${notFound}`]),
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
    ...site.notes,
  ])
  return [{ name, text: `${head}\n\n${writeHost(site)}` }]
}
