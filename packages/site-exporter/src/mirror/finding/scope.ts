import { extname } from 'node:path/posix'

/** What an address on a page of the site is. `key` names a page whatever form its address has: `guide/start`, empty for the first page. */
export type Place =
  | { kind: 'page'; key: string; url: string; fragment: string }
  /** A file of the site's origin, wherever it lies. */
  | { kind: 'file'; url: string; fragment: string }
  /** Somewhere else; also other parts of the same origin. */
  | { kind: 'outside'; url: string }

/** Which addresses belong to a site. */
export type Scope = {
  origin: string
  /** Path that all pages are below, with a slash at its end. */
  prefix: string
  /** Reads an absolute address. Null when it is none that can be followed, such as `mailto:`. */
  locate(url: string): Place | null
  /** Key of the page at an address; null when there can be none. */
  toKey(url: string): string | null
  /** The same address of this origin, without its fragment, if it is one of it under any of its names; otherwise null. */
  toOwnUrl(url: string): string | null
  /** Takes addresses of another origin as addresses of this one: the name the site has for the public. */
  alsoKnownAs(origin: string): void
}

/** Of these no page is ever called. Endings such as `.json` also end pages about such files, so those are asked for. */
const fileEndings = new Set(
  `.png .jpg .jpeg .gif .webp .avif .ico .svg .bmp .mp4 .webm .ogg .mp3 .wav .m4a .mov .pdf .zip .gz .tgz .tar .xz .bz2 .7z .exe .msi
.dmg .pkg .deb .rpm .whl .jar .apk .iso .xlsx .docx .pptx .woff .woff2 .ttf .eot .vtt .srt .wasm`.split(/\s+/),
)

/** Belongs to the site: what is below `start`, which may name a page. */
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
      // A path of two slashes would be read as another host.
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
        // A slash within a name is no border between two.
        return decodeURIComponent(part.replaceAll(/%2f/gi, '%252F'))
      } catch {
        return part
      }
    })
    .join('/')

/** Why an address is not worth asking for, as endless sites make them. Null when it is. */
export const findSuspicion = (key: string, maxDepth: number): string | null => {
  const parts = key.split('/')
  if (parts.length > maxDepth) return `its path has more than ${maxDepth} parts`
  if (key.length > 1_000) return 'its path has more than 1,000 characters'
  const counts = new Map<string, number>()
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1)
  return Math.max(...counts.values()) > 3 ? 'its path repeats itself' : null
}

/** What paths have in common that differ in numbers only; null for a path without numbers. */
export const toShape = (key: string): string | null => (/\d/.test(key) ? key.replaceAll(/\d+/g, '#') : null)
