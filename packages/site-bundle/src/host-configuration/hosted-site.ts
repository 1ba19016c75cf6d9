import type { Manifest } from '#manifest.ts'
import { readMediaType } from '#media-type.ts'
import { isHidden } from '#locator/hidden-files.ts'
import { removeEndSlash } from '#locator/addresses.ts'
import { readEarlierRules } from '#locator/bundle-rules.ts'
import { withCharset } from '#serve/respond.ts'
import { toComment } from './text.ts'

export type ConfigurationFile = { name: string; text: string }

/** Where a host serves a bundle. `name` is a hostname, `folder` is where the bundle is unpacked, `path` begins and ends with `/`. */
export type HostPlace = { name: string; folder: string; path: string }

/** What every configuration is written from. Nothing in it is hostile but `from` of the redirects. */
export type HostedSite = HostPlace & {
  sha256: string
  /** Folder of the bundle with the site: empty, or such as `site/`. */
  root: string
  /** Folder on the server with the site, without a slash at its end. */
  siteFolder: string
  /** `from` is a decoded address without a slash at its end. */
  exact: readonly { from: string; to: string }[]
  /** `from` is `/v1/` of `/v1/*`, decoded. */
  prefixes: readonly { from: string; before: string; after: string | null }[]
  notFound: string | null
  /** Lower-case endings without a dot, with their whole Content-Type. */
  types: readonly { ending: string; type: string }[]
  compressible: readonly string[]
  /** Addresses of folders in which every file has a hash in its name: `/assets/`. */
  hashedFolders: readonly string[]
  paths: ReadonlySet<string>
  notes: readonly string[]
}

export const hashedEnding = String.raw`[.-][A-Za-z0-9_-]{8,}\.[a-z0-9]+`

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

const maxNotes = 20

const readTypes = (paths: Iterable<string>) => {
  const types = new Map<string, string>()
  for (const path of paths) {
    const ending = /\.([a-z\d]{1,20})$/i.exec(path)?.[1]?.toLowerCase()
    const type = readMediaType(path)
    if (ending !== undefined && type !== 'application/octet-stream') types.set(ending, withCharset(type))
  }
  return [...types].map(([ending, type]) => ({ ending, type })).toSorted((a, b) => (a.ending < b.ending ? -1 : 1))
}

const isCompressible = (type: string) =>
  /^text\/|[/+](json|xml|javascript|manifest\+json|yaml|toml|wasm)(;|$)|ms-fontobject|font\/[ot]tf/.test(type)

const listNotes = (leftOut: readonly { from: string; to: string; why: string }[]) =>
  leftOut.length === 0
    ? []
    : [
        `Redirects of the bundle that are left out: ${leftOut.length}`,
        ...leftOut.slice(0, maxNotes).map(({ from, to, why }) => `  ${toComment(from)} to ${toComment(to)}: ${why}`),
        ...(leftOut.length > maxNotes ? [`  and ${leftOut.length - maxNotes} more`] : []),
      ]

export const describeHostedSite = (
  { sha256, root, files, redirects }: Pick<Manifest, 'sha256' | 'root' | 'files' | 'redirects'>,
  place: HostPlace,
): HostedSite => {
  const { path } = place
  const all = files.flatMap((file) => (file.path.startsWith(root) ? [file.path.slice(root.length)] : []))
  const paths = new Set(all.filter((one) => !isHidden(one)))
  const { rules, leftOut } = readEarlierRules(redirects)
  const exact = new Map(
    rules.flatMap(({ from, to }) => (from.endsWith('/*') ? [] : [[removeEndSlash(from), to ?? '']])),
  )
  const prefixes = rules.flatMap(({ from, to }) => {
    if (!from.endsWith('/*')) return []
    const [before = '', after = null] = to?.split(/:splat(.*)/s, 2) ?? []
    return [{ from: from.slice(0, -1), before, after }]
  })
  // A bundle may write its redirects with the path that it expects to be at.
  const below = (address: string) =>
    address.startsWith(path) || !address.startsWith('/') ? address : path + address.slice(1)
  const types = readTypes(paths)
  const folder = place.folder.replace(/(.)\/+$/, '$1')
  const isPlain = /^([\w.-]+\/)*$/.test(root)
  const notFound = ['404.html', '404/index.html'].find((name) => paths.has(name)) ?? null
  return {
    ...place,
    folder,
    sha256,
    root,
    siteFolder: isPlain ? `${folder}/${root}`.replace(/(.)\/$/, '$1') : folder,
    exact: [...exact].map(([from, to]) => ({ from: below(from), to: below(to) })),
    prefixes: prefixes.map(({ from, before, after }) => ({ from: below(from), before: below(before), after })),
    notFound,
    types,
    compressible: [...new Set(types.map(({ type }) => type).filter(isCompressible))],
    hashedFolders: findHashedFolders(paths).map((name) => path + name),
    paths,
    notes: [
      ...(isPlain
        ? []
        : [
            `The site is in the folder ${toComment(root)} of the bundle. Move the content of that folder to ${folder}.`,
          ]),
      ...(notFound === null ? ['The bundle has no page for unknown addresses (404.html).'] : []),
      ...listNotes(leftOut),
    ],
  }
}

const token = /[.-]([\w-]{8,})\.[a-z\d]+$/

/** Accepts hashes but no words or dates: hexadecimal with letters, or digits, letters and cases mixed as in no word. */
const isHash = (text: string) =>
  /^(?=.*[a-f])(?=.*\d)[\da-f]+$/.test(text) ||
  (/[a-z]/.test(text) && /[A-Z]/.test(text.slice(1)) && /^\w+$/.test(text))

const hasHash = (path: string) => {
  const text = token.exec(path)?.[1]
  return (
    text !== undefined && (isHash(text) || isHash(text.split('-').at(-1)!.padStart(8, '-')) || isHash(text.slice(-8)))
  )
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
