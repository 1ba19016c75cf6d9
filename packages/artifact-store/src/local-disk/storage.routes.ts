import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { selectRange } from '#select-range.ts'
import type { LocalStorage } from './local-storage.ts'

/** Admin API §4.4. Takes signed links only; supports ranges, `If-Range`, `ETag` and HEAD as object stores do. */
export const createStorageRoutes = (storage: LocalStorage) =>
  new Hono<{ Bindings: HttpBindings }>().on(['GET', 'HEAD'], '/:jobId/bundle.tar.gz', async (c) => {
    const url = new URL(c.req.url)
    const object = storage.open(url.pathname, url.searchParams)
    if (!object) return c.json({ error: 'The link is invalid or has expired' }, 403)
    const { size, mtimeMs } = await stat(object.file).catch(() => ({ size: -1, mtimeMs: 0 }))
    if (size < 0) return c.json({ error: 'Not found' }, 404)
    const etag = `"${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}"`
    if (c.req.header('if-none-match') === etag) return c.body(null, 304, { etag })
    const isCurrent = (c.req.header('if-range') ?? etag) === etag
    const part = isCurrent ? selectRange(c.req.header('range') ?? '', size) : 'none'
    if (part === 'unsatisfiable')
      return c.json({ error: 'Range not satisfiable' }, 416, { 'content-range': `bytes */${size}` })

    const { start, end } = part === 'none' ? { start: 0, end: size - 1 } : part
    const headers = {
      'content-type': 'application/gzip',
      'content-length': String(end - start + 1),
      'content-disposition': 'attachment; filename="bundle.tar.gz"',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      etag,
      ...(part !== 'none' && { 'content-range': `bytes ${start}-${end}/${size}` }),
    }
    if (c.req.method === 'HEAD') return c.body(null, 200, headers)
    const { outgoing } = c.env
    outgoing.writeHead(part === 'none' ? 200 : 206, headers)
    const last = object.breaksOff ? start + Math.floor((end - start) / 2) : end
    await sendObject(object.file, start, last, object.breaksOff, outgoing)
    return RESPONSE_ALREADY_SENT
  })

const sendObject = async (
  file: string,
  start: number,
  end: number,
  breaksOff: boolean,
  outgoing: HttpBindings['outgoing'],
) => {
  try {
    await pipeline(createReadStream(file, { start, end, highWaterMark: 256 * 1024 }), outgoing, { end: !breaksOff })
    if (breaksOff) outgoing.destroy()
  } catch {
    // The client closed the connection, which is not an error.
    outgoing.destroy()
  }
}
