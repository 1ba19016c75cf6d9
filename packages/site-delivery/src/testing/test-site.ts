import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { SiteContent } from '#delivery-target.ts'

const types: Readonly<Record<string, string>> = { css: 'text/css', html: 'text/html', js: 'text/javascript' }

const toSha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** A site in memory, with these files. Its sum follows from them. */
export const testSite = (files: Readonly<Record<string, string | Buffer>>): SiteContent => ({
  sum: toSha256(JSON.stringify(Object.entries(files).map(([path, content]) => [path, toSha256(content)]))),
  files: Object.entries(files).map(([path, content]) => ({
    path,
    sizeBytes: Buffer.byteLength(content),
    sha256: toSha256(content),
    type: types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
  })),
  open: async (path) => Readable.from([Buffer.from(files[path]!)]),
})

const page = (number: number, build: string) =>
  `<!doctype html><title>Page ${number}</title><script src="/app-${build}.js"></script><p>${build}</p>`

/** A site of a few pages whose pages, script and style differ in every build. */
export const builtSite = (build: string, pages = 4): SiteContent =>
  testSite({
    [`app-${build}.js`]: `console.log('${build}')`,
    'style.css': `body::before { content: '${build}' }`,
    'logo.png': Buffer.alloc(5_000, 7),
    'it’s a "page"/über uns.html': page(0, build),
    ...Object.fromEntries(
      Array.from({ length: pages }, (_, number) => [
        number === 0 ? 'index.html' : `guide/page-${number}/index.html`,
        page(number, build),
      ]),
    ),
  })
