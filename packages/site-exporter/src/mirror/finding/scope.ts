import { extname } from 'node:path/posix'

/** Classified address. `key` is the same for all forms of a page address; `''` is the first page. */
export type Place =
  | { kind: 'page'; key: string; url: string; fragment: string }
  /** A file on this origin, at any path. */
  | { kind: 'file'; url: string; fragment: string }
  | { kind: 'outside'; url: string }

export type Scope = {
  origin: string
  /** Common path of all pages, with a trailing slash. */
  prefix: string
  /** Classifies an absolute address; null for schemes such as `mailto:`. */
  locate(url: string): Place | null
  /** Key of a page address; null for other addresses. */
  toKey(url: string): string | null
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
  const { origin, pathname } = new URL(start)
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  const prefix = /\.x?html?$/i.test(last) || last === '' ? pathname.slice(0, -last.length || undefined) : `${pathname}/`
  const origins = new Set([origin])
  const scope: Scope = {
    origin,
    prefix,
    toKey: (address) => {
      const place = scope.locate(address)
      return place?.kind === 'page' ? place.key : null
    },
    toOwnUrl: (address) => {
      if (!URL.canParse(address)) return null
      const url = new URL(address)
      return origins.has(url.origin) ? origin + url.pathname + url.search : null
    },
    alsoKnownAs: (other) => origins.add(other),
    locate: (address) => {
      if (!URL.canParse(address)) return null
      const url = new URL(address)
      if (!/^https?:$/.test(url.protocol)) return null
      if (!origins.has(url.origin) || url.username || url.password) return { kind: 'outside', url: url.href }
      const fragment = url.hash.slice(1)
      const own = new URL(url.pathname + url.search, origin)
      // Two slashes would name another host.
      if (own.origin !== origin) return { kind: 'outside', url: url.href }
      if (fileEndings.has(extname(own.pathname).toLowerCase())) return { kind: 'file', url: own.href, fragment }
      const path = own.pathname.replaceAll(/\/{2,}/g, '/')
      const isBelow = path.startsWith(prefix) || `${path}/` === prefix
      if (!isBelow) return { kind: 'outside', url: own.href }
      own.search = ''
      return { kind: 'page', key: pathToKey(path.slice(prefix.length)), url: own.href, fragment }
    },
  }
  return scope
}

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
        // An encoded slash does not separate names.
        return decodeURIComponent(part.replaceAll(/%2f/gi, '%252F'))
      } catch {
        return part
      }
    })
    .join('/')

/** Reason to skip an address as one of an endless site, or null. */
export const findSuspicion = (key: string, maxDepth: number): string | null => {
  const parts = key.split('/')
  if (parts.length > maxDepth) return `its path has more than ${maxDepth} parts`
  if (key.length > 1_000) return 'its path has more than 1,000 characters'
  const counts = new Map<string, number>()
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1)
  return Math.max(...counts.values()) > 3 ? 'its path repeats itself' : null
}

/** Path with its numbers masked; null without numbers. */
export const toShape = (key: string): string | null => (/\d/.test(key) ? key.replaceAll(/\d+/g, '#') : null)
