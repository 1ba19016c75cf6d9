import { removeLeftOut, type ConfigurationFile, type HostedSite, forever, safeHeaders } from './hosted-site.ts'
import { writeComment, encodeAddress, toComment } from './text.ts'

export const writeNetlify = (site: HostedSite): ConfigurationFile[] => {
  const { path, root, notFound, name, sha256 } = site
  const { exact, prefixes, leftOut } = writeRedirectLines(site)
  const needsRule = notFound !== null && (path !== '/' || notFound !== '404.html')
  const head = writeComment('#', [
    `${name} on Netlify, made by Docket from the bundle ${sha256}.`,
    path === '/'
      ? `Put _redirects and _headers into ${root === '' ? 'the folder of the unpacked bundle' : 'the folder of the site in the unpacked bundle'}, in place of its own, and publish that folder.`
      : `Move the site to a folder ${path.slice(1)}, put _redirects and _headers beside its first folder, and publish the folder above.`,
    removeLeftOut,
    'Netlify serves files before redirects, and answers 301 where Docket answers 308.',
    ...site.notes,
    ...noteLeftOut(leftOut),
  ])
  const lines = [...exact, ...prefixes].map(({ text }) => text)
  const text = [head, '', ...lines, ...(needsRule ? [`${path}* ${path}${notFound} 404`] : []), ''].join('\n')
  return [{ name: '_redirects', text }, writeHeadersFile(site, [])]
}

/** Headers of `_headers` for an address. Both hosts join what several rules say about one header, so no rule repeats one. */
const writeRule = (address: string, headers: Readonly<Record<string, string>>) =>
  [address, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`), ''].join('\n')

/** Writes `_headers`. The hosts make browsers ask again for all other files by themselves. */
export const writeHeadersFile = (site: HostedSite, more: readonly string[]): ConfigurationFile => ({
  name: '_headers',
  text: [
    writeComment('#', [`Made by Docket from the bundle ${site.sha256}.`]),
    '',
    writeRule(`${site.path}*`, safeHeaders),
    ...site.hashedFolders.map((folder) => writeRule(`${folder}*`, { 'Cache-Control': forever })),
    ...more,
  ].join('\n'),
})

/** Writes the rule for the type of files with an ending, for hosts that allow a wildcard in front of it. */
export const writeTypeRule = (address: string, type: string): string => writeRule(address, { 'Content-Type': type })

export type RedirectLine = { from: string; text: string }

/** Leaves out addresses with `:name` or `*`, which have another meaning for Netlify and Cloudflare Pages. */
export const writeRedirectLines = ({ exact, prefixes }: Pick<HostedSite, 'exact' | 'prefixes'>) => {
  const lines: { exact: RedirectLine[]; prefixes: RedirectLine[] } = { exact: [], prefixes: [] }
  const leftOut: string[] = []
  const add = (kind: keyof typeof lines, decoded: string, [from, to]: [from: string, to: string]) => {
    if (/[*:]/.test(decoded)) leftOut.push(`${toComment(decoded)}: “*” and “:” in an address mean something else here`)
    else lines[kind].push({ from: decoded, text: `${from} ${to} 302` })
  }
  for (const { from, to } of exact) add('exact', from, [encodeAddress(from), to])
  for (const { from, before, after } of prefixes)
    add('prefixes', from, [`${encodeAddress(from)}*`, after === null ? before : `${before}:splat${after}`])
  return { ...lines, leftOut }
}

const maxNotes = 20

export const noteLeftOut = (leftOut: readonly string[]): string[] =>
  leftOut.length === 0
    ? []
    : [
        `Redirects that this host cannot have: ${leftOut.length}`,
        ...leftOut.slice(0, maxNotes).map((line) => `  ${line}`),
        ...(leftOut.length > maxNotes ? [`  and ${leftOut.length - maxNotes} more`] : []),
      ]
