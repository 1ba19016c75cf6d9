import { extname } from 'node:path'
import type { Context } from 'hono'
import { acceptsCoding, type Coding } from '#ground/http/conditional-get/compressed-json.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { contentTypes, type WebFile } from './web-files.ts'

const chooseCoding = (file: WebFile, accepted: string): Coding => {
  if (file.encoded.br !== null && acceptsCoding(accepted, 'br')) return 'br'
  return file.encoded.gzip !== null && acceptsCoding(accepted, 'gzip') ? 'gzip' : 'identity'
}

const answerWithFile = (c: Context<AppEnv>, file: WebFile): Response => {
  const encoding = chooseCoding(file, c.req.header('accept-encoding') ?? '')
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
 * Serves the web app: `files` of this build from memory, and hashed files of other builds through `findOther`. Addresses of the app get the
 * page; a missing file is a 404, never the page.
 */
export const serveWebApp =
  (files: ReadonlyMap<string, WebFile>, findOther: (path: string) => Promise<WebFile | null>) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const { path } = c.req
    const file = files.get(path) ?? (await findOther(path))
    if (file !== null) return answerWithFile(c, file)
    const isFile = path.startsWith('/assets/') || extname(path) in contentTypes
    const wantsPage = !path.startsWith('/assets/') && (c.req.header('accept')?.includes('text/html') ?? false)
    if (isFile && !wantsPage) throw new AppError('not_found', 'There is no such file.')
    const page = files.get('/index.html')
    if (page === undefined)
      throw new AppError(
        'not_found',
        'The web app has not been built. Run `npm start`, or `pnpm build` and start again.',
      )
    return answerWithFile(c, page)
  }
