import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import type { Manifest } from '#manifest.ts'
import type { StoredSite } from '#open-site.ts'

const types: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
}

/** A stored site without a store: texts are stored compressed, bytes as they are. */
export const siteInMemory = (
  files: Readonly<Record<string, string | Buffer>>,
  { root = '', redirects = [], ...more }: Partial<Pick<Manifest, 'root' | 'redirects' | 'mount' | 'rules'>> = {},
): StoredSite => {
  const entries = new Map(
    Object.entries(files).map(([path, content]) => {
      const bytes = Buffer.from(content)
      const encoded = typeof content === 'string' ? gzipSync(bytes) : bytes
      const file = {
        path,
        sizeBytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        type: types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
        encoding: typeof content === 'string' ? ('gzip' as const) : ('identity' as const),
        encodedBytes: encoded.length,
      }
      return [path, { file, bytes, encoded }]
    }),
  )
  const list = [...entries.values()].map(({ file }) => file)
  const contentBytes = list.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const sizes = { sizeBytes: contentBytes, contentBytes }
  const manifest: Manifest = {
    version: 1,
    sha256: '',
    ending: '.zip',
    ...sizes,
    root,
    files: list,
    pages: [],
    redirects,
    ...more,
  }
  return {
    manifest: async () => manifest,
    report: async () => ({ version: 1, unfinished: null, findings: [] }),
    find: async (path) => entries.get(path)?.file ?? null,
    read: async (path, range) => {
      const { bytes } = entries.get(path)!
      return Readable.from(range === undefined ? [bytes] : [bytes.subarray(range.start, range.end + 1)])
    },
    readEncoded: async (path) => Readable.from([entries.get(path)!.encoded]),
  }
}
