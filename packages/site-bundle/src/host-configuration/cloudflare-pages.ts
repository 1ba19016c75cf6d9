import { removeLeftOut, type ConfigurationFile, type HostedSite } from './hosted-site.ts'
import {
  cannotHave,
  listRulesElsewhere,
  placeFile,
  writeHeadersFile,
  writeRedirectLines,
  writeTypeRule,
  type RedirectLine,
} from './netlify.ts'
import { noteLeftOut, toComment, writeComment } from './text.ts'

const maxExact = 2_000
const maxPrefixes = 100
const maxLineChars = 1_000
const maxHeaderRules = 100
/** Types that Cloudflare Pages does not know by the ending. */
const ownTypes = new Set(['md', 'mdx', 'markdown', 'webmanifest', 'wasm'])

const listFiles = ({ path, paths }: HostedSite) => {
  const addresses = new Set<string>()
  for (const file of paths) {
    const address = path + file
    addresses.add(address)
    if (address.endsWith('.html')) addresses.add(address.replace(/(\/index)?\.html$/, ''))
  }
  return addresses
}

const selectLines = (site: HostedSite) => {
  const { lines, leftOut } = writeRedirectLines(site)
  const files = listFiles(site)
  const all = [...files]
  const fit = (lines: readonly RedirectLine[], max: number, isTaken: (from: string) => boolean) => {
    const kept: string[] = []
    for (const { rule, from, text } of lines) {
      const why =
        rule.query !== undefined || rule.status > 400
          ? 'Cloudflare Pages reads neither queries nor the statuses 404 and 410'
          : isTaken(from)
            ? 'the bundle has a file there, and Cloudflare Pages would redirect all the same'
            : text.length > maxLineChars
              ? 'longer than 1,000 characters'
              : kept.length >= max
                ? `Cloudflare Pages takes ${max.toLocaleString('en')} of this kind`
                : null
      if (why === null) kept.push(text)
      else leftOut.push(`${toComment(from)}: ${why}`)
    }
    return kept
  }
  const kept = [
    ...fit(
      lines.filter(({ rule }) => rule.exact !== null),
      maxExact,
      (from) => files.has(from),
    ),
    ...fit(
      lines.filter(({ rule }) => rule.exact === null),
      maxPrefixes,
      (from) => all.some((file) => file.startsWith(from.split(/[:*]/, 1)[0]!)),
    ),
  ]
  return { kept, leftOut }
}

const writePlainNotFound = (name: string) =>
  `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Page not found</title>\n<p>${name} has no page here.</p>\n</html>\n`

export const writeCloudflarePages = (site: HostedSite): ConfigurationFile[] => {
  const { path, notFound, name, sha256, types } = site
  const redirects = placeFile(site, '_redirects')
  const isAdded = redirects.name !== '_redirects'
  const { kept, leftOut } = selectLines(site)
  const isApp = site.rules.some(({ from, status, page }) => from === '/*' && status === 200 && page === 'index.html')
  const head = writeComment('#', [
    `${name} on Cloudflare Pages, made by Docket from the bundle ${sha256}.`,
    path === '/'
      ? 'Publish the folder of the site in the unpacked bundle.'
      : `Move the site to a folder ${path.slice(1)}, put these files beside its first folder, and publish the folder above.`,
    redirects.step,
    placeFile(site, '_headers').step,
    removeLeftOut,
    ...(notFound === '404/index.html'
      ? ['Copy 404/index.html to 404.html: Cloudflare Pages looks for nothing else.']
      : []),
    ...(notFound === null
      ? ['Without 404.html, Cloudflare Pages answers every unknown address with the first page.']
      : []),
    ...(isAdded ? [] : [...site.notes, ...noteLeftOut(cannotHave, leftOut)]),
  ])
  const typeRules = types
    .filter(({ ending }) => ownTypes.has(ending))
    .slice(0, maxHeaderRules - 1 - site.hashedFolders.length)
    .map(({ ending, type }) => writeTypeRule(`/*.${ending}`, type))
  return [
    { name: redirects.name, text: [head, '', ...(isAdded ? listRulesElsewhere(site) : kept), ''].join('\n') },
    writeHeadersFile({ ...site, hashedFolders: site.hashedFolders.slice(0, maxHeaderRules - 1) }, typeRules),
    ...(notFound === null && !isApp ? [{ name: '404.html', text: writePlainNotFound(name) }] : []),
  ]
}
