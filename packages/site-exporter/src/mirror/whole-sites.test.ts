import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mirror, origin } from '#testing/mirror.ts'
import type { Served } from '#testing/origin.ts'

const words = 'Plain words that a reader of this page would read. '.repeat(6)
const page = (title: string, body = '', head = '', html = '') =>
  `<!doctype html><html${html}><head><meta charset="utf-8"><title>${title}</title>${head}</head><body><main><h1>${title}</h1><p>${title}: ${words}</p>${body}</main></body></html>`
const typed = (type: string, body: string | Uint8Array): Served => ({ headers: { 'content-type': type }, body })
const xml = (body: string) => typed('application/xml', body)
const urlset = (urls: readonly string[]) =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`

/** Ways in which one page makes another one known. */
const ways = {
  link: (to: string) => ({ body: `<a href="${to}">on</a>` }),
  'public link': (to: string) => ({ body: `<a href="https://docs.example${to}#part">on</a>` }),
  picker: (to: string) => ({
    body: `<select><option value="">All</option><option value="${to}">One</option></select>`,
  }),
  language: (to: string) => ({ head: `<link rel="alternate" hreflang="fr" href="https://docs.example${to}">` }),
  next: (to: string) => ({ head: `<link rel="next" href="${to}">` }),
  frame: (to: string) => ({ body: `<iframe src="${to}"></iframe>` }),
  area: (to: string) => ({ body: `<map><area href="${to}"></map>` }),
  refresh: (to: string) => ({ head: `<meta http-equiv="refresh" content="9; url=${to}">` }),
  drawing: (to: string) => ({ body: `<svg><a href="${to}"><text>on</text></a></svg>` }),
  tracking: (to: string) => ({ body: `<a href="${to}${to.includes('?') ? '&' : '?'}utm_source=mail&sid=4711">on</a>` }),
  noscript: (to: string) => ({ body: `<noscript><a href="${to}">on</a></noscript>` }),
  sitemap: () => ({}),
} as const
type Way = keyof typeof ways

const encodings = ['utf-8', 'latin1 by header', 'latin1 by declaration', 'utf-16'] as const

/** A chain of pages, each of which only the one before it makes known. */
const sites = fc.record({
  prefix: fc.constantFrom('/', '/docs/'),
  canonicalAt: fc.nat(3),
  isGzipped: fc.boolean(),
  isIndexed: fc.boolean(),
  steps: fc.array(
    fc.record({
      way: fc.constantFrom(...(Object.keys(ways) as Way[])),
      form: fc.constantFrom('plain', 'folder', 'ending', 'query', 'redirect', 'escaped'),
      encoding: fc.constantFrom(...encodings),
      isDead: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    }),
    { minLength: 1, maxLength: 9 },
  ),
})

const toAddress = (prefix: string, form: string, at: number) => {
  if (form === 'folder') return `${prefix}f${at}/`
  if (form === 'ending') return `${prefix}f${at}.html`
  if (form === 'query') return `${prefix}list?page=${at}`
  return form === 'escaped' ? `${prefix}caf%C3%A9%20${at}` : `${prefix}f${at}`
}

const encode = (html: string, encoding: (typeof encodings)[number]): Served => {
  if (encoding === 'utf-16') return typed('text/html', Buffer.from(`\uFEFF${html}`, 'utf16le'))
  if (encoding === 'utf-8') return html
  const text = Buffer.from(html.replace('utf-8', encoding.endsWith('header') ? 'utf-8' : 'iso-8859-1'), 'latin1')
  return typed(encoding.endsWith('header') ? 'text/html; charset=iso-8859-1' : 'text/html', text)
}

test('every page that links, pickers, languages, frames or sitemaps of a site name is in its copy or has a line, in whatever encoding', async () => {
  await fc.assert(
    fc.asyncProperty(sites, async ({ prefix, canonicalAt, isGzipped, isIndexed, steps }) => {
      const served: Record<string, Served> = {}
      const listed: string[] = []
      const dead: string[] = []
      const alive: string[] = []
      const canonical = (address: string) => `<link rel="canonical" href="https://docs.example${address}">`
      let address: string = prefix
      // The public name must be known before a page is found by it alone.
      const firstPublic = steps.findIndex(({ way }) => way === 'public link' || way === 'language')
      const tells = Math.min(canonicalAt, firstPublic < 0 ? steps.length : firstPublic)
      const last = { way: 'link', form: 'plain', isDead: false } as const
      for (const [at, { way, form, isDead }] of [...steps, last].entries()) {
        const encoding = steps[at]?.encoding ?? 'utf-8'
        const next = toAddress(prefix, form, at)
        const isLast = at === steps.length
        const { body = '', head = '' } = isLast ? {} : (ways[way](next) as { body?: string; head?: string })
        const more = `<a href="${prefix}dead-${at}">x</a>`
        const names = at === tells ? canonical(address.split('?')[0]!) : ''
        served[address] = encode(
          page(`Seite für ${at}`, body + (isDead ? more : ''), head + names, ' lang="fr"'),
          encoding,
        )
        alive.push(address)
        if (isDead) dead.push(`${prefix}dead-${at}`)
        if (isLast) break
        if (way === 'sitemap') listed.push(`https://docs.example${next}`)
        if (form === 'redirect') {
          served[next] = { status: 301, headers: { location: `${next}-moved` } }
          address = `${next}-moved`
        } else address = next
      }
      const text = urlset(listed)
      const map = isGzipped ? typed('application/gzip', gzipSync(text)) : xml(text)
      served['/sitemap.xml'] = isIndexed
        ? xml(`<sitemapindex><sitemap><loc>https://docs.example/map-0</loc></sitemap></sitemapindex>`)
        : map
      served['/map-0'] = map
      const site = await origin(served)
      const { addresses, files, reasons } = await mirror(site.url + prefix, { limits: { lostShare: 1 } })
      for (const one of alive) {
        const file = addresses.get(one)
        expect(file, `${one} of ${JSON.stringify(alive)}`).toBeDefined()
        expect(files.get(file!)).toContain('Seite für')
        expect(files.get(file!)).toContain(' lang="fr"')
      }
      for (const one of dead) expect(reasons.get(one)).toBe('it answers 404')
      expect(new Set(alive.map((one) => addresses.get(one))).size).toBe(alive.length)
    }),
    { numRuns: Number(process.env['SAMPLES'] ?? 40) },
  )
}, 600_000)

test('the public name of a site is learned from any page, and then all of its languages and its sitemap are read', async () => {
  const languages = ['en', 'de', 'fr', 'ja']
  const served: Record<string, Served> = {
    '/': `<!doctype html><html><head><meta http-equiv="refresh" content="0; url=/en/"></head><body>Moved</body></html>`,
    '/sitemap-index.xml': xml(
      '<sitemapindex><sitemap><loc>https://docs.example/sitemap-0.xml</loc></sitemap></sitemapindex>',
    ),
  }
  const listed: string[] = []
  for (const language of languages)
    for (const name of ['', 'guide/', 'listed/']) {
      const address = `/${language}/${name}`
      const pick = languages.map((other) => `<option value="/${other}/${name}">${other}</option>`).join('')
      const head = languages
        .map((other) => `<link rel="alternate" hreflang="${other}" href="https://docs.example/${other}/${name}">`)
        .join('')
      const body =
        name === '' ? `<select>${pick}</select><a href="https://docs.example/${language}/guide/">Guide</a>` : ''
      served[address] = page(
        `${language} ${name}`,
        body,
        `<link rel="canonical" href="https://docs.example${address}">${head}`,
      )
      listed.push(`https://docs.example${address}`)
    }
  served['/sitemap-0.xml'] = xml(urlset([...listed, 'https://other.example/en/']))
  const site = await origin(served)
  const { addresses, count, leftOut, origins } = await mirror(`${site.url}/`)
  expect([count, leftOut]).toEqual([13, []])
  expect(origins).toContain('https://docs.example')
  expect(listed.filter((url) => !addresses.has(new URL(url).pathname))).toEqual([])
})

test('pages that differ in their query have files of their own, within bounds that are said, and statistics and sessions make no page', async () => {
  const site = await origin((path) => {
    const { pathname, searchParams } = new URL(path, 'http://x')
    if (pathname === '/')
      return page('Home', '<a href="/list?page=1">1</a><a href="/same?view=print">P</a><a href="/same">S</a>')
    if (pathname === '/same') return page('Same', '<a href="/same?utm_medium=x&PHPSESSID=1">S</a>')
    const at = Number(searchParams.get('page'))
    return pathname === '/list' ? page(`List ${at}`, `<a href="?page=${at + 1}&amp;fbclid=${at}">on</a>`) : undefined
  })
  const { pages, addresses, reasons } = await mirror(`${site.url}/`, { limits: { queriesOfOnePath: 5 } })
  const lists = [1, 2, 3, 4, 5].map((at) => addresses.get(`/list?page=${at}`)!)
  expect(new Set(lists).size).toBe(5)
  for (const [at, file] of lists.entries()) expect(pages.get(file.replace('.html', ''))).toContain(`List ${at + 1}:`)
  expect([...reasons]).toEqual([['/list', 'one path may have 5 queries; more of them are not here']])
  expect([...addresses.values()].filter((file) => file.startsWith('same'))).toEqual(Array(3).fill('same.html'))
  expect(site.heard.some(({ path }) => /utm_|sess|fbclid/i.test(path))).toBe(false)
})

test('everything that pages load from the site is copied: styles, fonts, pictures, scripts with their chunks, manifests, the page for missing addresses', async () => {
  const files: Record<string, Served> = {
    '/docs/a.css?v=2': typed('text/css', '@import "more/b.css"; body { background: url(/shared/back.png) }'),
    '/docs/more/b.css': typed('text/css', '@font-face { font-family: F; src: url("../f.woff2") }'),
    '/docs/f.woff2': typed('font/woff2', 'font'),
    '/shared/back.png': typed('image/png', 'back'),
    '/docs/one.png': typed('image/png', 'one'),
    '/docs/two.png': typed('image/png', 'two'),
    '/docs/dark.png': typed('image/png', 'dark'),
    '/docs/lazy.png': typed('image/png', 'lazy'),
    '/docs/sprite.svg': typed('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><image href="in.png"/></svg>'),
    '/docs/in.png': typed('image/png', 'in'),
    '/docs/picture?id=7': typed('image/webp', 'webp'),
    '/docs/site.webmanifest': typed('application/manifest+json', '{"icons":[{"src":"icon-512.png"}]}'),
    '/docs/icon-512.png': typed('image/png', 'icon'),
    '/docs/assets/app.js': typed(
      'text/javascript',
      'import "./shared.js"; import("./lazy.js"); const m=["assets/chunk.css"]; new Worker(new URL("worker.js", import.meta.url)); fetch("/docs/data.json"); fetch("/docs/none.json")',
    ),
    '/docs/assets/shared.js': typed('text/javascript', 'export const a = 1'),
    '/docs/assets/lazy.js': typed('text/javascript', 'export const b = 1'),
    '/docs/assets/chunk.css': typed('text/css', 'a{}'),
    '/docs/assets/worker.js': typed('text/javascript', 'postMessage(1)'),
    '/docs/assets/js/runtime.js': typed(
      'text/javascript',
      'r.u=e=>"assets/js/"+({12:"guide",7:"home"}[e]||e)+"."+{7:"ab12cd34",12:"ef56ab78",9:"11aa22bb"}[e]+".js"',
    ),
    '/docs/assets/js/guide.ef56ab78.js': typed('text/javascript', '1'),
    '/docs/assets/js/home.ab12cd34.js': typed('text/javascript', '2'),
    '/docs/assets/js/9.11aa22bb.js': typed('text/javascript', '3'),
    '/docs/assets/guide.md.lean.js': typed('text/javascript', '4'),
    '/docs/assets/guide.md.js': typed('text/javascript', '5'),
    '/docs/404.html': typed('text/html', '<link rel="stylesheet" href="/docs/none.css"><h1>Nothing here</h1>'),
    '/docs/none.css': typed('text/css', 'b{}'),
    '/docs/data.json': typed('application/json', '{}'),
    '/docs/film.mp4': typed('video/mp4', 'film'),
    '/docs/poster.jpg': typed('image/jpeg', 'poster'),
  }
  const body = `<img srcset="one.png 1x, two.png 2x"><picture><source srcset="dark.png" media="(prefers-color-scheme: dark)"></picture>
    <img data-src="lazy.png" class="lazyload"><svg><use href="sprite.svg#a"/></svg><img src="picture?id=7"><video src="film.mp4" poster="poster.jpg"></video>`
  const head = `<link rel="stylesheet" href="a.css?v=2"><link rel="manifest" href="site.webmanifest"><script type="module" src="assets/app.js"></script><script src="assets/js/runtime.js"></script><link rel="modulepreload" href="assets/guide.md.lean.js">`
  const site = await origin({ '/docs/': page('Home', body, head), ...files })
  const { addresses, files: copied, leftOut } = await mirror(`${site.url}/docs/`)
  for (const [address, served] of Object.entries(files))
    expect(copied.get(addresses.get(address) ?? ''), address).toBe((served as { body: string }).body)
  expect(addresses.get('/docs/picture?id=7')).toBe('picture.webp')
  expect(addresses.get('/shared/back.png')).toBe('_host/shared/back.png')
  expect(leftOut).toEqual([])
})

test('indexes of the usual searches are copied where their scripts are', async () => {
  const meta = gzipSync(Buffer.from('pagefind_dcd\x83\x82\x6aen_1a2b3c4\x82\x6aen_5d6e7f8', 'latin1'))
  const files: Record<string, Served> = {
    '/pagefind/pagefind-ui.js': typed('text/javascript', '1'),
    '/pagefind/pagefind.js': typed('text/javascript', '1'),
    '/pagefind/pagefind-entry.json': typed('application/json', '{"languages":{"en":{"hash":"en_ff00aa","wasm":"en"}}}'),
    '/pagefind/wasm.en.pagefind': typed('application/octet-stream', 'wasm'),
    '/pagefind/pagefind.en_ff00aa.pf_meta': typed('application/octet-stream', meta),
    '/pagefind/fragment/en_1a2b3c4.pf_fragment': typed('application/octet-stream', 'fragment'),
    '/pagefind/index/en_5d6e7f8.pf_index': typed('application/octet-stream', 'index'),
    '/search/search_index.json': typed('application/json', '{}'),
    '/searchindex.js': typed('text/javascript', 'Search.setIndex({})'),
    '/search.html': page('Search', '', '<script src="_static/searchtools.js"></script>'),
    '/_static/searchtools.js': typed('text/javascript', '1'),
    '/workers/search.b8dbb3d2.min.js': typed('text/javascript', '1'),
    '/search-doc-1700.json': typed('application/json', '[]'),
    '/main.js': typed('text/javascript', 'fetch(base+"search-doc-1700.json")'),
  }
  const head = `<script src="/pagefind/pagefind-ui.js"></script><script src="/main.js"></script>`
  const body = `<form action="search.html"></form><script id="__config" type="application/json">{"search":"./workers/search.b8dbb3d2.min.js"}</script>`
  const site = await origin({ '/': page('Home', body, head), ...files })
  const { addresses, leftOut } = await mirror(`${site.url}/`)
  expect(Object.keys(files).filter((address) => !addresses.has(address))).toEqual([])
  expect(leftOut).toEqual([])
})
