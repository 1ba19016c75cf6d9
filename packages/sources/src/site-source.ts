import { resolve } from 'node:path'
import { isLoopbackHost, isMetadataHost } from '@docket/outbound/addresses'

export type SiteSource =
  | RenderedSource
  /** A site as its generator wrote it. */
  | { kind: 'built'; of: RenderedSource | ArchiveSource }

/** `place` is a file, or an address whose content must have the checksum. */
export type ArchiveSource = { kind: 'archive'; place: string; sha256: string | null }

export type RenderedSource =
  /** `render` asks for its Markdown even if its tool is not read. */
  | { kind: 'folder'; folder: string; render?: true }
  /** `ref` null: the default branch. `folder` is inside the repository; empty for the whole repository. */
  | { kind: 'git'; repository: string; ref: string | null; folder: string; render?: true }
  | { kind: 'mirror'; url: string }

/**
 * Parses a configured source: a folder, `git+https://host/path.git#ref:folder` (or `git+file://…`; http on this machine only), or the
 * http(s) address of a site. `render=` may precede a folder or repository. After `built=`, it is that of a built site, which may be an
 * archive, too. Throws a readable error for an invalid address, and never quotes a password.
 */
export const parseSource = (text: string): SiteSource => {
  if (text.startsWith('render=')) {
    const source = parseSource(text.slice('render='.length))
    if (source.kind === 'mirror' || source.kind === 'built')
      throw new Error('Only a folder or a git repository can follow “render=”.')
    return { ...source, render: true }
  }
  if (!text.startsWith('built=')) return parseRendered(text)
  const place = text.slice('built='.length)
  if (place === '') throw new Error('A folder, an archive or an address is needed after “built=”.')
  return { kind: 'built', of: parseArchive(place) ?? parseRendered(place) }
}

const archiveName = /\.(?:zip|tar|tgz|tar\.gz|tar\.zst)$/i

/** Null for a source that is no archive. */
const parseArchive = (text: string): ArchiveSource | null => {
  if (!/^https?:/i.test(text))
    return archiveName.test(text) && !text.startsWith('git+')
      ? { kind: 'archive', place: resolve(text), sha256: null }
      : null
  const url = URL.parse(text)
  if (url === null || (!archiveName.test(url.pathname) && !/^#sha256=/i.test(url.hash))) return null
  if (url.username !== '' || url.password !== '')
    throw new Error('The address of an archive cannot hold a user or a password.')
  const sha256 = /^#sha256=([\da-f]{64})$/i.exec(url.hash)?.[1]
  url.hash = ''
  if (sha256 === undefined)
    throw new Error(
      `The address ${url.origin}${url.pathname} of an archive needs its checksum: #sha256= and 64 digits.`,
    )
  return { kind: 'archive', place: url.href, sha256: sha256.toLowerCase() }
}

const parseRendered = (text: string): RenderedSource => {
  if (text.startsWith('git+')) return parseGitSource(text.slice('git+'.length))
  if (/^https?:/i.test(text)) {
    if (!URL.canParse(text)) throw new Error(`“${text}” is no address of a site.`)
    const { username, password, href } = new URL(text)
    if (username !== '' || password !== '') throw new Error('The address of a site cannot hold a user or a password.')
    return { kind: 'mirror', url: href }
  }
  return { kind: 'folder', folder: resolve(text) }
}

const parseGitSource = (text: string): RenderedSource => {
  const at = text.indexOf('#')
  const [address, fragment] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  const url = URL.canParse(address) ? new URL(address) : null
  if (url !== null && (url.username !== '' || url.password !== ''))
    throw new Error('The address of a git repository cannot hold a user or a password.')
  if (url === null || !mayBeFetched(url))
    throw new Error(`“git+${address}” is no address of a git repository: git+https://… or git+file://… is needed.`)
  const [ref = '', ...rest] = fragment.split(':')
  const folder = rest.join(':').replace(/^\/+|\/+$/g, '')
  if (ref !== '' && !isRef(ref)) throw new Error(`“${ref}” cannot be a branch or tag.`)
  if (folder.split('/').some((part) => part === '.' || part === '..') || folder.includes('\0'))
    throw new Error(`“${folder}” is no folder inside a repository.`)
  return { kind: 'git', repository: url.href, ref: ref || null, folder }
}

const mayBeFetched = (url: URL) =>
  (/^(https|file):$/.test(url.protocol) || (url.protocol === 'http:' && isLoopbackHost(url.hostname))) &&
  !isMetadataHost(url.hostname)

/** Names that git accepts (git-check-ref-format) and never mistakes for an option. */
const isRef = (ref: string) =>
  /^[^\s~^:?*[\\\u007f-]/.test(ref) && !/[\s~^:?*[\\\u007f]|\.\.|@\{|\/\/|\/$|\.$|\.lock(\/|$)/.test(ref) && ref !== '@'

/** A source as a worker process reads it. Everything that can change over time, such as a branch, is already resolved. */
export type OrderedSource = OrderedRendered | { kind: 'built'; of: OrderedRendered | OrderedArchive }

type OrderedArchive = ArchiveSource & { privateNetworks: readonly string[] }

type OrderedRendered =
  | { kind: 'folder'; folder: string; render?: true }
  /** A commit in the local bare repository `gitDir`. `folder` is inside it; empty for the whole repository. */
  | { kind: 'git'; gitDir: string; commit: string; folder: string; repository: string; render?: true }
  | { kind: 'mirror'; url: string; staging: string; privateNetworks: readonly string[] }
