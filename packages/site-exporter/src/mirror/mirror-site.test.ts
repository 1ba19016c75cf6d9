import { gzipSync } from 'node:zlib'
import { startConnectProxy } from '@docket/outbound/testing/connect-proxy'
import { expect, onTestFinished, test, vi } from 'vitest'
import { mirror, origin } from '#testing/mirror.ts'
import { htmlPage, type Served } from '#testing/origin.ts'

const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a> `).join('')
const xml = (body: string): Served => ({ headers: { 'content-type': 'application/xml' }, body })
const png = { headers: { 'content-type': 'image/png' }, body: Buffer.from('89504e470d0a1a0a', 'hex') }

const start = htmlPage('Start', `<h2 id="there">There</h2>${links('/guide/install', '?theme=dark', '/old')}`)
const install = htmlPage('Install', links('/files/example.pdf', 'mailto:a@example.com', '/gone'))
const reference = htmlPage('Reference', links('/reference/names/a%20b', 'names/%C3%BC', '../guide/start/'))

/**
 * A site with links in every notation that tools use, an image, a file, a broken link, and pages that nothing
 * links.
 */
const wholeSite: Readonly<Record<string, Served>> = {
  '/': htmlPage(
    'Home',
    `${links('guide/start', './guide/install.html', '/reference/', 'guide/start#there')}<img src="/logo.png"><img src="https://cdn.example/far.png">`,
    `<nav class="sidebar"><h3>Guide</h3>${links('/guide/start', '/guide/install', '/reference')}</nav><script src="https://cdn.example/a.js"></script>`,
  ),
  '/guide/start': start,
  '/guide/start/': start,
  '/guide/start?theme=dark': start,
  '/guide/install': install,
  '/guide/install.html': install,
  '/reference': { status: 301, headers: { location: '/reference/' } },
  '/reference/': reference,
  '/reference/names/a%20b': htmlPage('A b'),
  '/reference/names/%C3%BC': htmlPage('Ü', '<iframe src="https://video.example/1"></iframe>'),
  '/old': { status: 301, headers: { location: '/reference/' } },
  '/orphan': htmlPage('Orphan', links('/behind')),
  '/behind': htmlPage('Behind'),
  '/logo.png': png,
  '/files/example.pdf': { headers: { 'content-type': 'application/pdf' }, body: 'PDF' },
}
const linked = [
  'guide/install',
  'guide/start',
  'index',
  // The site redirects it, so the copy does, too.
  'old',
  'reference/index',
  'reference/names/a-b-c8687a',
  'reference/names/ü',
]

test('every page in the sitemaps and every page linked from them is read, even if a sitemap is gzipped and uses the public name', async () => {
  const site = await origin({
    ...wholeSite,
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'Sitemap: /maps/index.xml' },
    '/maps/index.xml': xml(
      '<sitemapindex><sitemap><loc>https://docs.example/maps/a.xml.gz</loc></sitemap></sitemapindex>',
    ),
    '/maps/a.xml.gz': {
      headers: { 'content-type': 'application/gzip' },
      body: gzipSync('<urlset><url><loc>https://docs.example/orphan</loc></url></urlset>'),
    },
  })
  const { pages, leftOut } = await mirror(`${site.url}/`)
  expect([...pages.keys()].toSorted()).toEqual([...linked, 'behind', 'orphan'].toSorted())
  expect(leftOut).toEqual([{ file: `${site.url}/gone`, reason: 'it answers 404' }])
})

test('behind a proxy, a site that only the proxy can resolve is mirrored, and an address in place of a name is still refused', async () => {
  const proxy = await startConnectProxy()
  vi.stubEnv('HTTP_PROXY', proxy.url)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await proxy.close()
  })
  const site = await origin(wholeSite)
  proxy.lead('docs.proxied.example:80', site.port)
  const { pages } = await mirror('http://docs.proxied.example/')
  expect([...pages.keys()].toSorted()).toEqual(linked.toSorted())
  expect(new Set(proxy.places)).toEqual(new Set(['docs.proxied.example:80']))
  await expect(mirror('http://10.0.0.1/')).rejects.toThrow('10.0.0.1')
  proxy.answer(403)
  await expect(mirror('http://docs.proxied.example/')).rejects.toThrow(`the proxy http://${proxy.place} doesn’t allow`)
  expect(new Set(proxy.places)).toEqual(new Set(['docs.proxied.example:80']))
})

test('without a sitemap, every linked page is read once, unchanged, and nothing is requested from other hosts', async () => {
  const site = await origin(wholeSite)
  const { pages, files, addresses, reasons, mount, origins } = await mirror(`${site.url}/`)
  expect([...pages.keys()].toSorted()).toEqual(linked.toSorted())
  expect(pages.get('index')).toBe(wholeSite['/'])
  expect(files.get('logo.png')).toBe(png.body.toString())
  expect(files.get('files/example.pdf')).toBe('PDF')
  expect([mount, origins[0]]).toEqual(['/', site.url])
  // Each form of an address leads to the one file, and the first one is the file's own.
  for (const [address, file] of [
    ['/guide/start', 'guide/start.html'],
    ['/guide/start?theme=dark', 'guide/start.html'],
    ['/guide/start/', 'guide/start.html'],
    ['/old', 'reference/index.html'],
    ['/reference/names/%C3%BC', 'reference/names/ü.html'],
    ['/files/example.pdf', 'files/example.pdf'],
  ] as const)
    expect(addresses.get(address), address).toBe(file)
  expect([...addresses].find(([, file]) => file === 'reference/index.html')?.[0]).toBe('/reference/')
  expect(files.get('old.html')).toContain('content="0; url=/reference/"')
  expect([...reasons]).toEqual([['/gone', 'it answers 404']])
  // The first page is looked at before, and two addresses redirect to the other one.
  const heard = site.heard.map(({ path }) => path).filter((path) => !['/', '/reference/'].includes(path))
  expect(heard.filter((path, at) => heard.indexOf(path) !== at)).toEqual([])
})

test('a second run writes the same bytes, whatever the order of the responses', async () => {
  let isReversed = false
  const site = await origin((path) => {
    const served = wholeSite[path]
    if (typeof served !== 'string') return served
    const waitMs = path.length % 7
    return (response) =>
      void setTimeout(
        () => response.writeHead(200, { 'content-type': 'text/html' }).end(served),
        30 * (isReversed ? 7 - waitMs : waitMs),
      )
  })
  // The order must not decide which pages exceed the limit, either.
  const limits = { pages: 3 }
  const first = await mirror(`${site.url}/`, { limits })
  isReversed = true
  const second = await mirror(`${site.url}/`, { limits })
  expect(second.count).toBe(limits.pages)
  expect(second.files).toEqual(first.files)
})

test('only pages below the address of the site are mirrored', async () => {
  const site = await origin({
    '/docs/': htmlPage(
      'Docs',
      links('a', '/blog', '/docs-old/', '//other.example/docs/x', 'https://docs.example/docs/b'),
    ),
    '/docs/a': htmlPage('A'),
    '/blog': htmlPage('Blog'),
    '/docs-old/': htmlPage('Old'),
  })
  const { pages } = await mirror(`${site.url}/docs/`)
  expect([...pages.keys()].toSorted()).toEqual(['a', 'index'])
  expect(site.heard.map(({ path }) => path)).not.toContain('/blog')
})

test('robots.txt rules apply to pages, files and sitemaps, and its crawl delay is respected', async () => {
  const robotsTxt = 'User-agent: docket-mirror\nDisallow: /private/\nDisallow: /*.png$\nCrawl-delay: 60\n'
  const site = await origin({
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: robotsTxt },
    '/': htmlPage('Home', `${links('/private/a', '/open')}<img src="/logo.png">`),
    '/sitemap.xml': xml(`<urlset><url><loc>/private/b</loc></url></urlset>`),
    '/open': htmlPage('Open', links('/private/../private/c')),
    '/private/a': htmlPage('A'),
    '/logo.png': png,
  })
  const { pages, reasons } = await mirror(`${site.url}/`, { limits: { crawlDelayMs: 20 } })
  expect([...pages.keys()].toSorted()).toEqual(['index', 'open'])
  expect(site.heard.filter(({ path }) => /private|png/.test(path))).toEqual([])
  expect(reasons.get('/private/a')).toBe('robots.txt does not allow it')
  expect(reasons.get('/logo.png')).toBe('robots.txt does not allow it')
  expect(reasons.get('/private/c')).toBe('robots.txt does not allow it')
})

test('a mirror fails with a readable error if robots.txt allows nothing or cannot be read', async () => {
  for (const [robots, why] of [
    [
      { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /' },
      /robots\.txt does not let “docket-mirror” read it/,
    ],
    [{ status: 500 }, /robots\.txt answers 500/],
  ] as const) {
    const site = await origin({ '/robots.txt': robots, '/': htmlPage('Home') })
    await expect(mirror(`${site.url}/`)).rejects.toThrow(why)
    expect(site.heard.map(({ path }) => path)).toEqual(['/robots.txt'])
  }
})

const shell = (text: string) =>
  `<!doctype html><html><head><title>App</title></head><body><div id="app">${text}</div><script src="/app.js"></script></body></html>`

test('a mirror fails with advice if scripts render the only page of the site', async () => {
  const site = await origin({ '/': shell('Loading…') })
  const reason =
    /scripts draw its pages, and a mirror runs none\. It found one page with fewer than 50 words\. Use the folder/
  await expect(mirror(`${site.url}/`)).rejects.toThrow(reason)
  const many = await origin({
    '/': shell('Loading…'),
    '/a': shell('Loading…'),
    '/sitemap.xml': xml('<urlset><url><loc>https://docs.example/a</loc></url></urlset>'),
  })
  await expect(mirror(`${many.url}/`)).rejects.toThrow('the same page 2 times')
})

test('a single page is mirrored if it has enough text or no scripts, even in a writing system without spaces', async () => {
  for (const page of [
    shell('A word and more. '.repeat(20)),
    shell('文档'.repeat(40)),
    shell('Loading…').replace(/<script.*<\/script>/, '<script type="application/ld+json">{}</script>'),
  ]) {
    const site = await origin({ '/': page })
    expect((await mirror(`${site.url}/`)).count).toBe(1)
  }
})
