import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Context } from 'hono'
import type { AppEnv } from '#http/app-env.ts'
import { AppError } from '#errors/app-error.ts'

const contentTypes: Readonly<Record<string, string>> = {
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
/** The build adds these files where compression makes them smaller. */
const compressed = { br: '.br', gzip: '.gz' } as const

type Bytes = Uint8Array<ArrayBuffer>
type Encoding = 'br' | 'gzip' | 'identity'
type WebFile = {
  type: string
  etag: string
  cacheControl: string
  encoded: { identity: Bytes; br?: Bytes; gzip?: Bytes }
}

const toCacheControl = (path: string): string => {
  // Names under /assets contain a hash of the content, so those files never change.
  if (path.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  return path.endsWith('.html') ? 'no-store' : 'no-cache'
}

const read = async (file: string): Promise<Bytes> => new Uint8Array(await readFile(file))

const load = async (folder: string, path: string, names: ReadonlySet<string>): Promise<WebFile> => {
  const bytes = await read(join(folder, path))
  const encoded: WebFile['encoded'] = { identity: bytes }
  for (const [encoding, ending] of Object.entries(compressed))
    if (names.has(path + ending)) encoded[encoding as 'br' | 'gzip'] = await read(join(folder, path + ending))
  return {
    type: contentTypes[extname(path)] ?? 'application/octet-stream',
    etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    cacheControl: toCacheControl(path),
    encoded,
  }
}

const loadAll = async (folder: string): Promise<Map<string, WebFile>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const names = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/')),
  )
  const served = [...names].filter((path) => !Object.values(compressed).some((ending) => path.endsWith(ending)))
  return new Map(await Promise.all(served.map(async (path) => [path, await load(folder, path, names)] as const)))
}

const encodingFor = (file: WebFile, accepted: string): Encoding => {
  const names = accepted.split(',').map((part) => part.trim().toLowerCase())
  const takes = (name: string) =>
    names.some((part) => part === name || (part.startsWith(`${name};`) && !/;\s*q=0(\.0*)?$/.test(part)))
  if (file.encoded.br && takes('br')) return 'br'
  return file.encoded.gzip && takes('gzip') ? 'gzip' : 'identity'
}

const answer = (c: Context<AppEnv>, file: WebFile): Response => {
  const encoding = encodingFor(file, c.req.header('accept-encoding') ?? '')
  const etag = `"${file.etag}${encoding === 'identity' ? '' : `-${encoding}`}"`
  c.header('ETag', etag)
  c.header('Cache-Control', file.cacheControl)
  c.header('Vary', 'Accept-Encoding')
  if (c.req.header('if-none-match')?.includes(etag) === true) return c.body(null, 304)
  c.header('Content-Type', file.type)
  if (encoding !== 'identity') c.header('Content-Encoding', encoding)
  return c.body(file.encoded[encoding] ?? file.encoded.identity)
}

/**
 * Serves the built web app from memory, read once at the start, so no request can name a file of this machine.
 * Addresses of the app get the page; a missing file is a 404, never the page.
 */
export const webApp = async (folder: string): Promise<(c: Context<AppEnv>) => Response> => {
  const files = await loadAll(folder)
  const page = files.get('/index.html')
  return (c) => {
    const { path } = c.req
    const file = files.get(path)
    if (file !== undefined) return answer(c, file)
    const isFile = path.startsWith('/assets/') || extname(path) in contentTypes
    const wantsPage = !path.startsWith('/assets/') && (c.req.header('accept')?.includes('text/html') ?? false)
    if (isFile && !wantsPage) throw new AppError('not_found', 'There is no such file.')
    if (page === undefined)
      throw new AppError(
        'not_found',
        'The web app has not been built. Run `npm start`, or `pnpm build` and start again.',
      )
    return answer(c, page)
  }
}
