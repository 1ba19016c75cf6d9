import { hasHash } from '#locator/hashed-names.ts'
import type { BundleFile, Manifest } from '#manifest.ts'
import { isLoop, readEarlierRules } from '#locator/bundle-rules.ts'
import { createSiteLocator } from '#locator/locator.ts'
import type { Rule } from '#site-rules.ts'
import { describeLocatedSite, listServedPaths, type HostedRule, type LocatedParts } from './located-site.ts'
import { formatContentType } from '#serve/respond.ts'
import { noteLeftOut, toComment } from './text.ts'

export type ConfigurationFile = { name: string; text: string }

/** Where a host serves a bundle. `name` is a hostname, `folder` is where the bundle is unpacked, `path` begins and ends with `/`. */
export type HostPlace = { name: string; folder: string; path: string }

/** What every configuration is written from. Hostile in it are `from` of the rules, and names of files. */
export type HostedSite = HostPlace &
  LocatedParts & {
    sha256: string
    /** Folder of the bundle with the site: empty, or such as `site/`. */
    root: string
    /** Folder on the server with the site, without a slash at its end. */
    siteFolder: string
    /** True when the path of the site leads to a page. */
    hasStart: boolean
    /** Page of the whole site for unknown addresses. */
    notFound: string | null
    /** Whole Content-Type of files without an ending. */
    plainType: string
    /** Lower-case endings without a dot, with their whole Content-Type. */
    types: readonly { ending: string; type: string }[]
    /** Files whose type does not follow from their ending. */
    typed: readonly { path: string; type: string }[]
    compressible: readonly string[]
    /** Addresses of folders in which every file has a hash in its name: `/assets/`. */
    hashedFolders: readonly string[]
    paths: ReadonlySet<string>
    /** Files of the bundle that Netlify and Cloudflare Pages read. */
    ownRules: readonly string[]
    notes: readonly string[]
  }

/** These headers break no page that may be opened from a file. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
}

/** Browsers ask again before each use; unless the page changed, only its ETag travels. */
export const revalidate = 'no-cache'
/** Files with a hash in their name never change. */
export const forever = 'public, max-age=31536000, immutable'
/** Used for a host that publishes a folder as it is. */
export const removeLeftOut =
  'Remove export-report.json, .gitignore and .gitattributes from that folder: readers need none of them.'

const unknownType = 'application/octet-stream'

/** The usual type of an ending, where an empty one stands for files without, and the files with another one. */
const readTypes = (all: readonly Pick<BundleFile, 'path' | 'type' | 'charset'>[]) => {
  const files = all.map((file) => ({ path: file.path, type: formatContentType(file) }))
  const readEnding = (path: string) => /[^/]\.([a-z\d]{1,20})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  const counts = new Map<string, Map<string, number>>([['', new Map()]])
  for (const { path, type } of files) {
    const known = counts.get(readEnding(path)) ?? new Map<string, number>()
    counts.set(readEnding(path), known.set(type, (known.get(type) ?? 0) + 1))
  }
  const types = new Map(
    [...counts].map(([ending, some]) => [ending, [...some].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? unknownType]),
  )
  return {
    types: [...types].map(([ending, type]) => ({ ending, type })).toSorted((a, b) => (a.ending < b.ending ? -1 : 1)),
    typed: files.filter(({ path, type }) => type !== types.get(readEnding(path))),
  }
}

const isCompressible = (type: string) =>
  /^text\/|[/+](json|xml|javascript|manifest\+json|yaml|toml|wasm)(;|$)|ms-fontobject|font\/[ot]tf/.test(type)

export type HostedManifest = Pick<Manifest, 'sha256' | 'root' | 'files' | 'redirects' | 'rules'>

/** A rule that redirects to the place itself would do so forever. */
const isLoopAt = (rule: Rule, { name, path }: HostPlace) => {
  const url = URL.parse(rule.to ?? '')
  const to = url?.pathname.startsWith(path) === true ? url.pathname.slice(path.length - 1) : url?.pathname
  return to !== undefined && url?.host === name.toLowerCase() && isLoop({ ...rule, to })
}

/** `fillsFiles`: the host can put parts of an address into the path of a file. */
export const describeHostedSite = (manifest: HostedManifest, place: HostPlace, fillsFiles: boolean): HostedSite => {
  const { sha256, root, files } = manifest
  const { path } = place
  const all = manifest.rules ?? readEarlierRules(manifest.redirects)
  const loops = new Set(all.rules.filter((rule) => isLoopAt(rule, place)))
  const rules = { ...all, rules: all.rules.filter((rule) => !loops.has(rule)) }
  const site = { root, mount: path, files, rules }
  const paths = listServedPaths(site)
  const located = describeLocatedSite(site, paths)
  const isUnfilled = ({ page, status, to }: HostedRule) =>
    !fillsFiles && page === null && (status === 200 || status > 400) && /:[a-z]/i.test(to ?? '')
  const leftOut = [
    ...all.leftOut,
    ...[...loops].map((rule) => ({ ...rule, why: 'it leads to itself' })),
    ...located.rules.flatMap((rule) =>
      isUnfilled(rule) ? { ...rule, why: 'its file depends on the address; readers get the 404 page' } : [],
    ),
  ]
  const served = files
    .map((file) => ({ ...file, path: file.path.slice(root.length) }))
    .filter((file) => paths.has(file.path))
  const { types: usual, typed } = readTypes(served)
  const types = usual.filter(({ ending }) => ending !== '')
  const folder = place.folder.replace(/(.)\/+$/, '$1')
  const isPlain = /^([\w.-]+\/)*$/.test(root)
  const notFound = located.missing.find((one) => one.folder === '')?.page ?? null
  return {
    ...place,
    ...located,
    folder,
    sha256,
    root,
    siteFolder: isPlain ? `${folder}/${root}`.replace(/(.)\/$/, '$1') : folder,
    hasStart: createSiteLocator(site).resolve(path.slice(0, -1)).kind === 'redirect',
    notFound,
    plainType: usual[0]!.type,
    types,
    typed,
    compressible: [...new Set([...usual, ...typed].map(({ type }) => type).filter(isCompressible))],
    hashedFolders: findHashedFolders(paths).map((name) => path + name),
    paths,
    ownRules: ['_redirects', '_headers'].filter((name) => files.some((file) => file.path === root + name)),
    notes: [
      ...(isPlain
        ? []
        : [
            `The site is in the folder ${toComment(root)} of the bundle. Move the content of that folder to ${folder}.`,
          ]),
      ...(notFound === null ? ['The bundle has no page for unknown addresses (404.html).'] : []),
      ...noteLeftOut(
        'Rules of the bundle that are left out',
        leftOut.map(({ from, to, why }) => `${toComment(from)} to ${toComment(to ?? '')}: ${why}`),
      ),
    ],
  }
}

/** For hosts whose rules read no query and come after files. Names what they leave out. */
export const simplifyRules = (site: HostedSite): HostedSite => {
  const { path, paths, rules } = site
  const lines = rules.flatMap(({ from, query, isForced }) => {
    if (query !== undefined) return `${toComment(from)}: left out, because it depends on the query`
    return isForced === true ? `${toComment(from)}: counts only where the site has no file` : []
  })
  return {
    ...site,
    rules: rules.filter(({ query }) => query === undefined),
    notes: [
      ...site.notes,
      ...noteLeftOut('Rules that this host reads less of', lines),
      ...([...paths].some((file) => file.includes('?'))
        ? ['Files with a question mark in their names have no address here.']
        : []),
      ...(path === '/' ? [] : [`Every address outside ${path} is redirected to the same one below it.`]),
    ],
  }
}

/** At least two files each: only what a build names by content may be kept forever. Names have `[\w.-]` only. */
export const findHashedFolders = (paths: Iterable<string>): string[] => {
  const folders = new Map<string, { hashed: number; others: number }>()
  for (const path of paths) {
    const kind = hasHash(path) ? 'hashed' : 'others'
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end + 1)
      const counts = folders.get(folder) ?? { hashed: 0, others: 0 }
      counts[kind] += 1
      folders.set(folder, counts)
    }
  }
  const hashed = [...folders].flatMap(([folder, counts]) =>
    counts.others === 0 && counts.hashed > 1 && /^([\w.-]+\/)+$/.test(folder) ? [folder] : [],
  )
  const all = new Set(hashed)
  const isTopmost = (folder: string) => !all.has(folder.replace(/[^/]+\/$/, ''))
  return hashed.filter(isTopmost).toSorted()
}
