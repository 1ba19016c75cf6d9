import { extname } from 'node:path/posix'

/** Classified address. `key` is the same for all forms of a page address; `''` is the first page. */
export type Place =
  | { kind: 'page'; key: string; url: string }
  /** A file on this origin, at any path. */
  | { kind: 'file'; url: string }
  | { kind: 'outside'; url: string }

export type Scope = {
  origin: string
  /** Common path of all pages, with a trailing slash. */
  prefix: string
  /** Origins by which the site names itself, its own first. */
  origins: ReadonlySet<string>
  /** Classifies an absolute address; null for schemes such as `mailto:`. */
  locate(url: string): Place | null
  /** Address on this origin without fragment, for any of its host names. Null for other origins. */
  toOwnUrl(url: string): string | null
  alsoKnownAs(origin: string): void
}

/** Extensions that never name pages. Pages about `.json` files end in `.json`, so those are requested. */
const fileEndings = new Set(
  `.png .jpg .jpeg .gif .webp .avif .ico .svg .bmp .mp4 .webm .ogg .mp3 .wav .m4a .mov .pdf .zip .gz .tgz .tar .xz .bz2 .7z .exe .msi
.dmg .pkg .deb .rpm .whl .jar .apk .iso .xlsx .docx .pptx .woff .woff2 .ttf .eot .vtt .srt .wasm`.split(/\s+/),
)

export const createScope = (start: string): Scope => {
  const { origin, protocol, host, pathname } = new URL(start)
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  const prefix = /\.x?html?$/i.test(last) || last === '' ? pathname.slice(0, -last.length || undefined) : `${pathname}/`
  const origins = new Set([origin, `${protocol === 'https:' ? 'http' : 'https'}://${host}`])
  const scope: Scope = {
    origin,
    prefix,
    origins,
    toOwnUrl: (address) => {
      if (!URL.canParse(address)) return null
      const url = new URL(address)
      // Two slashes would name another host.
      const isOwn =
        origins.has(url.origin) && url.username === '' && url.password === '' && !url.pathname.startsWith('//')
      return isOwn ? origin + url.pathname + url.search : null
    },
    alsoKnownAs: (other) => origins.add(other),
    locate: (address) => {
      if (!URL.canParse(address)) return null
      const url = new URL(address)
      if (!/^https?:$/.test(url.protocol)) return null
      const own = scope.toOwnUrl(address)
      if (own === null) return { kind: 'outside', url: url.href }
      const { pathname: wholePath, searchParams } = url
      if (fileEndings.has(extname(wholePath).toLowerCase())) return { kind: 'file', url: own }
      const path = wholePath.replaceAll(/\/{2,}/g, '/').replaceAll(/;jsessionid=[^/;]*/gi, '')
      const isBelow = path.startsWith(prefix) || `${path}/` === prefix
      if (!isBelow) return { kind: 'outside', url: own }
      for (const name of new Set(searchParams.keys())) if (isIncidental(name)) searchParams.delete(name)
      const query = url.search
      searchParams.sort()
      const key = pathToKey(path.slice(prefix.length)) + url.search.replaceAll('/', '%2F')
      return { kind: 'page', key, url: origin + path + query }
    },
  }
  return scope
}

/** Parameters for statistics and sessions, which select no page. */
const isIncidental = (name: string) =>
  /^(?:utm_.*|(?:fb|g|dc|y|ms|tt|tw|li_fat_)cl?id|gclsrc|[gw]braid|igshid|mc_[ce]id|_ga|_gl|_hs\w+|hsa_\w+|(?:php|asp|j)?sess(?:ion)?_?id\w*|aspsessionid\w*|sid)$/i.test(
    name,
  )

/** `guide/start/`, `guide/start.html` and `guide/start/index.html` are one page. */
const pathToKey = (path: string) =>
  decodePath(path)
    .replace(/(^|\/)index(\.x?html?)?$/i, '$1')
    .replace(/\/+$/, '')
    .replace(/\.x?html?$/i, '')
    .normalize('NFC')

const decodePath = (path: string) =>
  path
    .split('/')
    .map((part) => {
      try {
        // An encoded slash or question mark separates nothing.
        return decodeURIComponent(part.replaceAll(/%(?=2f|3f)/gi, '%25'))
      } catch {
        return part
      }
    })
    .join('/')

/** Reason to skip an address as one of an endless site, or null. */
export const findSuspicion = (key: string, maxDepth: number): string | null => {
  const parts = key.split('?', 1)[0]!.split('/')
  if (parts.length > maxDepth) return `its path has more than ${maxDepth} parts`
  if (key.length > 1_000) return 'its path has more than 1,000 characters'
  const counts = new Map<string, number>()
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1)
  return Math.max(...counts.values()) > 3 ? 'its path repeats itself' : null
}

/** Path with its numbers masked; null without numbers. */
export const toShape = (key: string): string | null => (/\d/.test(key) ? key.replaceAll(/\d+/g, '#') : null)
