import { standInServer } from '#apps/bff/src/testing/stand-in-server.ts'
import { readMediaType } from '#packages/site-bundle/src/media-type.ts'

/**
 * Serves a site as the plainest host does: files by their names, the index of a folder, and `404.html` with its status
 * for everything else. `prefix` (`/some/path`) is where the site hangs; outside of it there is nothing. `headers` join every response.
 */
export const serveSite = async (
  files: ReadonlyMap<string, Buffer>,
  prefix: string,
  headers: Readonly<Record<string, string>> = {},
) => {
  const { url, close } = await standInServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname)
    const name = path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : null
    const found = name === null ? undefined : [name, `${name}index.html`].find((file) => files.has(file))
    const file = found ?? (name === null ? '' : '404.html')
    response.writeHead(found === undefined ? 404 : 200, {
      'content-type': readMediaType(file) ?? 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      ...headers,
    })
    response.end(files.get(file) ?? 'Nothing is here.')
  })
  return { url: `${url}${prefix}/`, close }
}
