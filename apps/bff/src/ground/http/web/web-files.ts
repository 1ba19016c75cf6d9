import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

export const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
/** Endings of the compressed files that the build adds when they are smaller. */
const compressed = { br: '.br', gzip: '.gz' } as const

type Bytes = Uint8Array<ArrayBuffer>

export type WebFile = {
  type: string
  etag: string
  cacheControl: string
  encoded: { identity: Bytes; br: Bytes | null; gzip: Bytes | null }
}

const toCacheControl = (path: string): string => {
  // The build puts a hash of the content into the names under /assets, so those never change.
  if (path.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  return path.endsWith('.html') ? 'no-store' : 'no-cache'
}

export const toWebFile = (path: string, encoded: WebFile['encoded']): WebFile => ({
  type: contentTypes[extname(path)] ?? 'application/octet-stream',
  etag: createHash('sha256').update(encoded.identity).digest('base64url').slice(0, 22),
  cacheControl: toCacheControl(path),
  encoded,
})

/** Reads a built web app into memory, by address, so that no request names a file of this machine. Empty without a build. */
export const readWebFiles = async (folder: string): Promise<ReadonlyMap<string, WebFile>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const names = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/')),
  )
  const read = async (path: string): Promise<Bytes> => new Uint8Array(await readFile(join(folder, path)))
  const readBeside = (path: string) => (names.has(path) ? read(path) : null)
  const load = async (path: string): Promise<WebFile> =>
    toWebFile(path, {
      identity: await read(path),
      br: await readBeside(path + compressed.br),
      gzip: await readBeside(path + compressed.gzip),
    })
  const served = [...names].filter((path) => !Object.values(compressed).some((ending) => path.endsWith(ending)))
  return new Map(await Promise.all(served.map(async (path) => [path, await load(path)] as const)))
}
