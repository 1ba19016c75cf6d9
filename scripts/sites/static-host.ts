import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.pdf': 'application/pdf',
}

/**
 * Serves a site as the plainest host does: files by their names, the index of a folder, and `404.html` with its status
 * for everything else. `prefix` (`/some/path`) is where the site hangs; outside of it there is nothing. `headers` join every response.
 */
export const serveSite = async (
  files: ReadonlyMap<string, Buffer>,
  prefix: string,
  headers: Readonly<Record<string, string>> = {},
) => {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname)
    const name = path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : null
    const found = name === null ? undefined : [name, `${name}index.html`].find((file) => files.has(file))
    const file = found ?? (name === null ? '' : '404.html')
    response.writeHead(found === undefined ? 404 : 200, {
      'content-type': types[extname(file).toLowerCase()] ?? 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      ...headers,
    })
    response.end(files.get(file) ?? 'Nothing is here.')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}/`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
