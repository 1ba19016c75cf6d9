import { createHash } from 'node:crypto'
import { hiddenPath } from '#locator/hidden-files.ts'
import { hashedEnding } from '#locator/hashed-names.ts'
import { forever, revalidate, safeHeaders, type ConfigurationFile, type HostedSite } from './hosted-site.ts'
import { pageEndings, type HostedRule } from './located-site.ts'
import { fillNames, listNames, matchAsked, matchBytes, matchForms, matchRule, writeComment } from './text.ts'

/** Makes names of variables differ from those of other sites on the same nginx. */
const toVariablePrefix = ({ name, path }: HostedSite) =>
  `docket_${createHash('sha256')
    .update(name + path)
    .digest('hex')
    .slice(0, 8)}`

const writeBlock = (head: string, lines: readonly string[]) =>
  `${head} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`

/** The value of a rule: its status, and where it leads. */
const writeValue = (rule: HostedRule, own: string, quote: (path: string) => string) => {
  const { status, page, target, query } = rule
  if (target === null) return `${status}:${page === null ? '' : quote(`/${page}`)}`
  const asked = Object.values(query ?? {}).flatMap((value) => (value.startsWith(':') ? value.slice(1) : []))
  const fill = (text: string) => fillNames(text, [...listNames(rule), ...asked], (place) => `\${${own}_v${place}}`)
  const rest = query !== undefined ? '' : target.hasQuery ? `$${own}_and` : '$is_args$args'
  return `${status}:${fill(target.address)}${rest}${fill(target.fragment)}`
}

/** Matches `address\nquery`, with the address as nginx decoded it, or as it was asked for when the rule takes a part of it. */
const writePattern = (rule: HostedRule, mount: string, own: string) => {
  const { exact, query = {} } = rule
  let place = 0
  const take = (pattern: string) => `(?<${own}_v${place++}>${pattern})`
  const address =
    exact === null ? matchAsked(mount) + matchRule(rule, take) : `${matchForms(mount + exact, matchBytes)}/?`
  const asked = Object.entries(query).map(([name, value]) => {
    const wanted = value.startsWith(':') ? take('[^&]*') : matchAsked(value)
    return String.raw`(?=(?:[^\n]*?&)?${matchAsked(name)}=${wanted}(?:&|\z))`
  })
  return `~^${address}\\n${asked.join('')}`
}

const writeRuleMaps = (site: HostedSite, own: string, quote: (path: string) => string) => {
  const mount = site.path.slice(0, -1)
  const write = (name: string, rules: readonly HostedRule[], below: string, value: (rule: HostedRule) => string) => {
    const lines = (isExact: boolean) =>
      rules
        .filter(({ exact }) => (exact !== null) === isExact)
        .map((rule) => `"${writePattern(rule, below, own)}" "${value(rule)}";`)
    return [
      writeBlock(`map "$${own}_asked\\n$args" $${own}_${name}_pattern`, ['default "";', ...lines(false)]),
      writeBlock(`map "$uri\\n$args" $${own}_${name}`, [`default $${own}_${name}_pattern;`, ...lines(true)]),
    ]
  }
  const toValue = (rule: HostedRule) => writeValue(rule, own, quote)
  const forced = site.rules.filter(({ isForced }) => isForced === true)
  return [
    ...write('rule', site.rules, mount, toValue),
    ...write('forced', forced, mount, toValue),
    ...[['elsewhere', site.rules] as const, ['forced_elsewhere', forced] as const].flatMap(([name, rules]) =>
      mount === ''
        ? [`geo $${own}_${name} { default ""; }`]
        : write(name, rules, '', (rule) => (toValue(rule).startsWith('4') ? toValue(rule) : 'found')),
    ),
  ]
}

const writeMaps = (site: HostedSite, name: string, quote: (path: string) => string) => {
  const own = `$${name}`
  const mount = matchBytes(site.path.slice(0, -1))
  const [pages, slashes] = [[], []] as [string[], string[]]
  for (const [address, file] of site.exceptions)
    (file === '/' ? slashes : pages).push(`"~^/${matchBytes(address)}\\z" "${file === '/' ? '1' : quote(`/${file}`)}";`)
  return [
    `geo ${own}_dollar { default "$"; }`,
    '# The address as it was asked for, without its query.',
    writeBlock(`map $request_uri ${own}_asked`, [`"~^(?<${name}_a>[^?]+)" ${own}_a;`, `default "";`]),
    '# The same without a slash at its end.',
    writeBlock(`map ${own}_asked ${own}_bare`, [`"~^(?<${name}_b>.+)(?:/|%2[fF])\\z" ${own}_b;`, `default "";`]),
    '# The path of a file, and of a page whose address got a slash.',
    writeBlock(`map $uri ${own}_file`, [`"~(?s)^${mount}(?<${name}_f>/.*)\\z" ${own}_f;`, `default $uri;`]),
    writeBlock(`map ${own}_file ${own}_page`, [`"~(?s)^(?<${name}_p>/.+)/\\z" ${own}_p;`, `default /index;`]),
    writeBlock(`map $args ${own}_and`, [`"" "";`, `default "&$args";`]),
    '# Pages with other endings or letters, and pages whose address has a slash more or less.',
    writeBlock(`map ${own}_file ${own}_named`, ['default "";', ...pages]),
    writeBlock(`map ${own}_file ${own}_slash`, ['default "";', ...slashes]),
    writeBlock(`map "${own}_file\\n$args" ${own}_queried`, [
      'default "";',
      ...site.queried.map(
        ({ address, query, file }) =>
          `"~^/${matchForms(address, matchBytes)}\\n${matchForms(query, matchAsked)}\\z" "${quote(`/${file}`)}";`,
      ),
    ]),
    '# The rules of the bundle, in its order: a status, and where it leads.',
    ...writeRuleMaps(site, name, quote),
    ...['rule', 'forced'].map((kind) =>
      writeBlock(`map ${own}_${kind} ${own}_${kind}_page`, [`"~^200:(?<${name}_r>.+)" ${own}_r;`, 'default "";']),
    ),
    '# The nearest page for an unknown address, unless a rule names one.',
    writeBlock(`map ${own}_file ${own}_nearest`, [
      ...site.missing.map(({ folder, page }) => `"~^/${matchForms(folder, matchBytes)}" "${quote(`/${page}`)}";`),
      'default "";',
    ]),
    writeBlock(`map "${own}_forced\\n${own}_rule\\n${own}_forced_elsewhere\\n${own}_elsewhere" ${own}_missing`, [
      `"~^\\n*4[01][04]:(?<${name}_m>/[^\\n]*)" ${own}_m;`,
      `default ${own}_nearest;`,
    ]),
    '# Only names with a hash may be kept; a page is asked for again, which costs an ETag.',
    writeBlock(`map "$status:$uri" ${own}_cache`, [
      ...site.hashedFolders.map(
        (folder) => `"~^(200|206|304):${matchBytes(folder)}.*${hashedEnding}\\z" "${forever}";`,
      ),
      `default ${revalidate};`,
    ]),
  ].join('\n')
}

const writeServer = (site: HostedSite, ownPart: string, quote: (path: string) => string) => {
  const own = `$${ownPart}`
  const { name, path, siteFolder, types, typed, compressible, missing, rules } = site
  const isForced = rules.some((rule) => rule.isForced === true)
  const answer = (kind: string) => [
    ...[301, 302, 303, 307, 308].map((status) => `if (${own}_${kind} ~ "^${status}:(.+)") { return ${status} $1; }`),
    ...[404, 410].map((status) => `if (${own}_${kind} ~ "^${status}:") { return ${status}; }`),
  ]
  const named = `@${ownPart}`
  const first = `${own}_forced_page ${own}_queried ${own}_named`
  const [file, folder] = [`${own}_file`, `\${${ownPart}_file}`]
  const tryFile = [file, ...pageEndings.map((ending) => file + ending)].join(' ')
  const hasFile = (text: string) => `if (-f "$document_root${text}")`
  const [asFolder, asPage] = [
    pageEndings.map((ending) => `${file}/index${ending}`),
    pageEndings.map((ending) => `${own}_page${ending}`),
  ]
  const toMount = `{ return 302 ${path.slice(0, -1)}$request_uri; }`
  const hidden = (below: string, lines: string) => `location ~* "^${matchBytes(below)}${hiddenPath}\\z" { ${lines} }`
  const ruled = (kind: string) => [
    `if (${own}_${kind} = found) ${toMount}`,
    ...[404, 410].map((status) => `if (${own}_${kind} ~ "^${status}:") { return ${status}; }`),
  ]
  const elsewhere = (texts: readonly string[]) => [
    ...(isForced ? ruled('forced_elsewhere') : []),
    ...texts.map((text) => `${hasFile(text)} ${toMount}`),
    ...[`${own}_named`, `${own}_queried`, `${own}_slash`].map((text) => `if (${text}) ${toMount}`),
    ...ruled('elsewhere'),
    'return 404;',
  ]
  // The ending of a name that a crawler saved has its query.
  const readEnding = (one: string) => /[^/]\.([^./]*[^a-z\d./][^./]*)$/i.exec(one)?.[1]
  const typeLines = new Map(typed.flatMap((one) => [[readEnding(one.path), one.type] as const]))
  typeLines.delete(undefined)
  const hasMissing = missing.length > 0 || rules.some(({ status, page }) => status > 400 && page !== null)
  const typeLocations = typed.flatMap((one) =>
    readEnding(one.path) === undefined
      ? `location ~ "^${matchBytes(path)}${matchForms(one.path, matchBytes)}\\z" { types {} default_type "${one.type}"; try_files ${first} ${file} ${named}_file; }`
      : [],
  )
  const lines = [
    'listen 80;',
    '# For HTTPS, put these in place of the line above:',
    '# listen 443 ssl;',
    `# ssl_certificate /etc/ssl/${name}.pem;`,
    `# ssl_certificate_key /etc/ssl/${name}.key;`,
    `server_name ${name};`,
    `root "${siteFolder}";`,
    'absolute_redirect off;',
    'merge_slashes off;',
    'etag on;',
    '',
    'types {',
    ...types.map(({ ending, type }) => `  "${type}" ${ending};`),
    ...[...typeLines].map(([ending, type]) => `  "${type}" "${quote(ending!)}";`),
    '}',
    `default_type "${site.plainType}";`,
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
    '# Browsers would take a redirect of such an address for another host.',
    String.raw`if ($uri ~ "^(?:${matchBytes(path.slice(0, -1))})?//|\x5c") { return 404; }`,
    ...(isForced ? answer('forced') : []),
    ...(!hasMissing ? [] : [`error_page 404 410 ${named}_missing;`]),
    '',
    ...(path === '/'
      ? []
      : [
          ...(site.hasStart ? [`location = ${path.slice(0, -1)} { return 302 ${path}$is_args$args; }`] : []),
          '# Addresses of the time before the site had its path.',
          'location / {',
          `  ${hidden('/', elsewhere([]).join(' '))}`,
          `  location ~ // { ${elsewhere([]).join(' ')} }`,
          '  location ~ /$ {',
          ...elsewhere([...pageEndings.map((ending) => `${folder}index${ending}`), ...asPage]).map(
            (line) => `    ${line}`,
          ),
          '  }',
          ...elsewhere([file, ...pageEndings.map((ending) => file + ending), ...asFolder]).map((line) => `  ${line}`),
          '}',
        ]),
    `location ${path} {`,
    '  # What is not for readers.',
    `  ${hidden(path, `try_files ${own}_forced_page ${named}_rules;`)}`,
    '  # No file has such an address, but the file system would find one.',
    `  location ~ // { try_files ${own}_forced_page ${named}_rules; }`,
    '  # Files whose type does not follow from their ending.',
    ...typeLocations.map((line) => `  ${line}`),
    '  location ~ /$ {',
    `    try_files ${first} ${pageEndings.map((ending) => `${folder}index${ending}`).join(' ')} ${named}_folder;`,
    '  }',
    `  try_files ${first} ${tryFile} ${named}_file;`,
    '}',
    `location ${named}_file {`,
    `  if (${own}_slash) { return 308 ${own}_asked/$is_args$args; }`,
    ...asFolder.map((text) => `  ${hasFile(text)} { return 308 ${own}_asked/$is_args$args; }`),
    `  try_files "" ${named}_rules;`,
    '}',
    `location ${named}_folder {`,
    `  if (${own}_slash) { return 308 ${own}_bare$is_args$args; }`,
    ...asPage.map((text) => `  ${hasFile(text)} { return 308 ${own}_bare$is_args$args; }`),
    `  try_files "" ${named}_rules;`,
    '}',
    `location ${named}_rules {`,
    ...answer('rule').map((line) => `  ${line}`),
    `  try_files ${own}_rule_page =404;`,
    '}',
    ...(!hasMissing ? [] : [`location ${named}_missing { try_files ${own}_missing =404; }`]),
  ]
  return writeBlock('server', lines).replaceAll(/[ ]+\n/g, '\n')
}

/** Requires nginx 1.18 or newer. */
export const writeNginx = (site: HostedSite): ConfigurationFile[] => {
  const own = toVariablePrefix(site)
  const name = `${site.name}.conf`
  // No text of nginx has a dollar sign but by a variable.
  const quote = (path: string) => path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('$', () => `\${${own}_dollar}`)
  const head = writeComment('#', [
    `${site.name} for nginx, made by Docket from the bundle ${site.sha256}.`,
    `Unpack the bundle to ${site.folder}, save this file as /etc/nginx/conf.d/${name}, then:`,
    'nginx -t && nginx -s reload',
    ...site.notes,
  ])
  return [{ name, text: `${head}\n\n${writeMaps(site, own, quote)}\n${writeServer(site, own, quote)}` }]
}
