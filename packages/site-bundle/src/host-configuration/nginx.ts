import { createHash } from 'node:crypto'
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

/** Makes names of variables differ from those of other sites on the same nginx. */
const toVariablePrefix = ({ name, path }: HostedSite) =>
  `docket_${createHash('sha256')
    .update(name + path)
    .digest('hex')
    .slice(0, 8)}`

const writeBlock = (head: string, lines: readonly string[]) =>
  `${head} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`

const writeMaps = (site: HostedSite, name: string) => {
  const own = `$${name}`
  const mount = matchBytes(site.path.slice(0, -1))
  const target = (to: string) => {
    const { address, hasQuery, fragment } = splitTarget(to)
    return `${address}${hasQuery ? `${own}_and` : '$is_args$args'}${fragment}`
  }
  const exact = site.exact.map(({ from, to }) => `"~^${matchBytes(from)}/?\\z" "${target(to)}";`)
  const prefixes = site.prefixes.map(({ from, before, after }) => {
    const pattern = `~^${matchAsked(from)}(?<${name}_rest>[^/\\x5c].*)?\\z`
    const to = after === null ? target(before) : target(`${before}\0${after}`).replace('\0', `\${${name}_rest}`)
    return `"${pattern}" "${to}";`
  })
  return [
    '# The address as it was asked for, without its query.',
    writeBlock(`map $request_uri ${own}_asked`, [`"~^(?<${name}_a>[^?]+)" ${own}_a;`, `default "";`]),
    '# The same without a slash at its end.',
    writeBlock(`map ${own}_asked ${own}_bare`, [`"~^(?<${name}_b>.+)/\\z" ${own}_b;`, `default "";`]),
    '# The path of a file, and of a page whose address got a slash.',
    writeBlock(`map $uri ${own}_file`, [`"~(?s)^${mount}(?<${name}_f>/.*)\\z" ${own}_f;`, `default "";`]),
    writeBlock(`map ${own}_file ${own}_page`, [`"~(?s)^(?<${name}_p>/.+)/\\z" ${own}_p;`, `default /index;`]),
    writeBlock(`map $args ${own}_and`, [`"" "";`, `default "&$args";`]),
    '# The redirects of the bundle, in its order.',
    writeBlock(`map $uri ${own}_exact`, ['default "";', ...exact]),
    writeBlock(`map ${own}_asked ${own}_prefix`, ['default "";', ...prefixes]),
    '# Only names with a hash may be kept; a page is asked for again, which costs an ETag.',
    writeBlock(`map "$status:$uri" ${own}_cache`, [
      ...site.hashedFolders.map(
        (folder) => `"~^(200|206|304):${matchBytes(folder)}.*${hashedEnding}\\z" "${forever}";`,
      ),
      `default ${revalidate};`,
    ]),
  ].join('\n')
}

const writeServer = (site: HostedSite, ownPart: string) => {
  const own = `$${ownPart}`
  const { name, path, siteFolder, types, compressible, notFound } = site
  const rules = [
    `if (${own}_exact) { return 302 ${own}_exact; }`,
    `if (${own}_prefix) { return 302 ${own}_prefix; }`,
    'return 404;',
  ]
  const named = `@${ownPart}`
  const lines = [
    'listen 80;',
    '# For HTTPS, put these in place of the line above:',
    '# listen 443 ssl;',
    `# ssl_certificate /etc/ssl/${name}.pem;`,
    `# ssl_certificate_key /etc/ssl/${name}.key;`,
    `server_name ${name};`,
    `root "${siteFolder}";`,
    'absolute_redirect off;',
    'etag on;',
    '',
    'types {',
    ...types.map(({ ending, type }) => `  "${type}" ${ending};`),
    '}',
    'default_type application/octet-stream;',
    '',
    'gzip on;',
    'gzip_vary on;',
    ...(compressible.length > 0
      ? [
          `gzip_types ${
            compressible
              .filter((type) => type !== 'text/html')
              .map((type) => `"${type}"`)
              .join(' ') || 'text/plain'
          };`,
        ]
      : []),
    ...Object.entries(safeHeaders).map(([header, value]) => `add_header ${header} "${value}" always;`),
    `add_header Cache-Control ${own}_cache always;`,
    '',
    ...(notFound === null ? [] : [`error_page 404 ${named}_missing;`]),
    '# Browsers would take a redirect of such an address for another host.',
    String.raw`if ($request_uri ~ "^/[/\x5c]") { return 404; }`,
    '',
    ...(path === '/'
      ? []
      : [`location = ${path.slice(0, -1)} { return 308 ${path}$is_args$args; }`, 'location / { return 404; }']),
    `location ${path} {`,
    '  # What is not for readers.',
    `  location ~* "^${matchBytes(path)}${hiddenPath}\\z" { return 404; }`,
    `  try_files ${own}_file ${own}_file.html ${named}_file;`,
    '  location ~ /$ {',
    `    try_files \${${ownPart}_file}index.html ${named}_folder;`,
    '  }',
    '}',
    `location ${named}_file {`,
    `  if (-f "$document_root${own}_file/index.html") { return 308 ${own}_asked/$is_args$args; }`,
    ...rules.map((line) => `  ${line}`),
    '}',
    ...(notFound === null ? [] : [`location ${named}_missing { try_files /${notFound} =404; }`]),
    `location ${named}_folder {`,
    `  if (-f "$document_root${own}_page.html") { return 308 ${own}_bare$is_args$args; }`,
    ...rules.map((line) => `  ${line}`),
    '}',
  ]
  return writeBlock('server', lines).replaceAll(/[ ]+\n/g, '\n')
}

/** Requires nginx 1.18 or newer. */
export const writeNginx = (site: HostedSite): ConfigurationFile[] => {
  const own = toVariablePrefix(site)
  const name = `${site.name}.conf`
  const head = writeComment('#', [
    `${site.name} for nginx, made by Docket from the bundle ${site.sha256}.`,
    `Unpack the bundle to ${site.folder}, save this file as /etc/nginx/conf.d/${name}, then:`,
    'nginx -t && nginx -s reload',
    ...site.notes,
  ])
  return [{ name, text: `${head}\n\n${writeMaps(site, own)}\n${writeServer(site, own)}` }]
}
