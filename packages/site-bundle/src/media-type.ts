import mime from 'mime'
import { readBeginning } from './text-encoding.ts'

/** Types that browsers want, where the list has none or another one. */
const own: Readonly<Record<string, string>> = {
  cjs: 'text/javascript',
  cur: 'image/x-icon',
  flac: 'audio/flac',
  har: 'application/json',
  jsonc: 'application/json',
  jsonl: 'application/x-ndjson',
  mdx: 'text/markdown',
  ndjson: 'application/x-ndjson',
  tgz: 'application/gzip',
  topojson: 'application/json',
  whl: 'application/zip',
  xsl: 'application/xslt+xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zst: 'application/zstd',
}

/** Endings that texts have, too: of Rust, TypeScript and PHP, public keys, `go.mod`. */
const ambiguous = /\.(?:asc|dot|key|mod|mts|php|pub|rs|ts)$/i

const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^<(?:!doctype html|html|head|body|title|meta)[\s>]/i, 'text/html'],
  [/^<(?:!doctype )?svg[\s>]/i, 'image/svg+xml'],
  [/^<rss[\s>]/i, 'application/rss+xml'],
  [/^<feed[\s>]/i, 'application/atom+xml'],
  [/^\{\s*"/, 'application/json'],
]
const signatures: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[\s\S]{4}WEBP/, 'image/webp'],
  [/^%PDF-/, 'application/pdf'],
]

const findType = (name: string) => {
  const ending = /\.([a-z\d]+)$/i.exec(name)?.[1]?.toLowerCase()
  return ending === undefined ? null : (own[ending] ?? mime.getType(ending))
}

/** Crawlers keep the query of an address in the name: `style.css?v=2`, and with `@` for Windows. */
const findNamedType = (path: string) => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const bare = name.replace(/[?@].*$/s, '')
  return { type: findType(name) ?? findType(bare), isAmbiguous: ambiguous.test(bare) }
}

/** By the name alone; null when the bytes decide. */
export const readMediaType = (path: string): string | null => {
  const { type, isAmbiguous } = findNamedType(path)
  return isAmbiguous ? null : type
}

export const decideMediaType = (path: string, head: Buffer): string => {
  const named = readMediaType(path)
  if (named !== null) return named
  const signed = signatures.find(([pattern]) => pattern.test(head.toString('latin1', 0, 16)))
  if (signed !== undefined) return signed[1]
  const text = readBeginning(head)
  if (text === null) return findNamedType(path).type ?? 'application/octet-stream'
  const root = text
    .replace(/^\s*<\?xml\s[^>]*>/, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .trimStart()
  const isXml = /^\s*<\?xml\s/.test(text)
  return beginnings.find(([pattern]) => pattern.test(root))?.[1] ?? (isXml ? 'application/xml' : 'text/plain')
}
