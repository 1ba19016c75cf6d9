import { readFile } from 'node:fs/promises'
import { Hono } from 'hono'

const assets = {
  'code-host.css': 'text/css',
  'code-host.js': 'text/javascript',
  'pass.js': 'text/javascript',
  'code-host.svg': 'image/svg+xml',
}

/** Style, scripts and icon of the pages. */
export const assetRoutes = new Hono().get('/:asset{code-host\\.(css|js|svg)|pass\\.js}', async (c) => {
  const name = c.req.param('asset') as keyof typeof assets
  return c.body(await readFile(new URL(name, import.meta.url)), 200, { 'content-type': assets[name] })
})
