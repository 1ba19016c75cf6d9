import { readMediaType } from '@docket/site-bundle/media-type'
import mime from 'mime'
import { computeDigest } from '#mirror/finding/read-page.ts'
import { decodeAddress } from '#site/data.ts'
import { toSafePath, toSafeSegment } from '#site/page-paths.ts'

/** Maximum length of a path; leaves room for the folder of an unpacked bundle. Bytes. */
const maxPathBytes = 900

/** Chooses file names that every file system and web server accepts, each once, whatever the case. */
export const createFileNames = () => {
  const files = new Set<string>()
  const folders = new Set<string>()
  const listFolders = (file: string) =>
    file.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/').toLowerCase())
  const isFree = (file: string) =>
    !files.has(file.toLowerCase()) &&
    !folders.has(file.toLowerCase()) &&
    Buffer.byteLength(file) <= maxPathBytes &&
    listFolders(file).every((folder) => !files.has(folder))
  /** Takes the first free name. `address` is unique. */
  const take = (address: string, stem: string, ending: string) => {
    const digest = computeDigest(address)
    const file =
      [`${stem}${ending}`, `${stem}-${digest.slice(0, 6)}${ending}`].find(isFree) ?? `file-${digest}${ending}`
    files.add(file.toLowerCase())
    for (const folder of listFolders(file)) folders.add(folder)
    return file
  }
  return {
    /** Files by page key: `guide` becomes `guide/index.html` if it has pages below it. */
    namePages: (keys: readonly string[]): Map<string, string> => {
      const above = new Set(
        keys.flatMap((key) => key.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'))),
      )
      return new Map(
        keys.toSorted().map((key) => {
          const place = key === '' ? 'index' : above.has(key) ? `${key}/index` : key
          const name = toSafePath(place.split('/').map(toSafeName).join('/'))
          return [key, take(key, name, '.html')]
        }),
      )
    },
    /** Keeps the path of a file below `prefix`, because scripts compute names. */
    nameFile: (address: string, prefix: string, type: string): string => {
      const { pathname, search } = new URL(address, 'http://site.invalid')
      const below = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : `_host${pathname}`
      const path = below
        .split('/')
        .map((part) => toFileName(decodeAddress(part)))
        .join('/')
      const own = /\.[a-z\d]{1,11}$/i.exec(path)?.[0] ?? ''
      const named = readMediaType(path)
      const isDrawing = type === 'image/svg+xml'
      const known = named === null || (named === 'image/svg+xml') !== isDrawing ? mime.getExtension(type) : null
      const ending = known === null ? own : `.${known}`
      return take(pathname + search, path.slice(0, path.length - (known === null ? own.length : 0)), ending)
    },
  }
}

const toSafeName = (part: string): string => {
  const safe = toSafeSegment(part).replace(/\.(mdx?|html?)$/i, '-$1')
  return safe === part ? part : `${safe.slice(0, 70)}-${computeDigest(part).slice(0, 6)}`
}

const isPlain = /^[\p{L}\p{M}\p{N}_~@$!&'(),;=[\]{}+-][\p{L}\p{M}\p{N}_~@$!&'(),;=[\]{}+. -]{0,148}$/u

/** Folders that no source reads. */
const isSkipped = /^(?:node_modules|__MACOSX)$/

const toFileName = (part: string): string => {
  if (isPlain.test(part) && !/[. ]$/.test(part) && !isSkipped.test(part)) return part.normalize('NFC')
  const ending = /\.[a-z\d]{1,11}$/i.exec(part)?.[0] ?? ''
  const safe = toSafeSegment(part.slice(0, part.length - ending.length)).slice(0, 70)
  return `${safe}-${computeDigest(part).slice(0, 6)}${ending}`
}
