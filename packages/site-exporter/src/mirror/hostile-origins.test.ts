import type { LookupFunction } from 'node:net'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { mirror, origin } from '#testing/mirror.ts'
import { htmlPage, type Served } from '#testing/origin.ts'

const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">a link</a> `).join('')
const movedTo = (location: string): Served => ({ status: 302, headers: { location } })

/** Resolves host names to the given addresses, one per lookup; the last address repeats. */
const createLookup = (answers: Readonly<Record<string, readonly (readonly string[])[]>>) => {
  const hosts: string[] = []
  const lookup: LookupFunction = (host, _, done) => {
    const turn = hosts.filter((name) => name === host).length
    hosts.push(host)
    const found = answers[host]?.[Math.min(turn, answers[host].length - 1)] ?? []
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return { hosts, lookup }
}

test('no connection is made to an unlisted private address, whether given as an IP address or as a host name', async () => {
  const site = await origin({ '/': htmlPage('Home') })
  const { lookup } = createLookup({
    'docs.test': [['127.0.0.1']],
    'two.test': [['93.184.216.34', '127.0.0.1']],
    'meta.test': [['169.254.169.254']],
  })
  for (const [url, reason] of [
    [site.url, 'the address is 127.0.0.1'],
    [`http://[::ffff:127.0.0.1]:${site.port}/`, 'the address is ::ffff:7f00:1'],
    [`http://2130706433:${site.port}/`, 'the address is 127.0.0.1'],
    [`http://docs.test:${site.port}/`, 'docs.test is at 127.0.0.1'],
    [`http://two.test:${site.port}/`, 'two.test is at 127.0.0.1'],
    ['http://meta.test/', 'meta.test is at 169.254.169.254'],
    ['http://169.254.169.254/latest/meta-data/', 'the address is 169.254.169.254'],
  ] as const)
    await expect(mirror(url, { privateNetworks: [], lookup })).rejects.toThrow(
      `${reason}, which is private or has a special meaning`,
    )
  expect(site.connections()).toBe(0)
})

test('each connection uses the address that was checked, so a host name that changes its address gains nothing', async () => {
  const pages = Object.fromEntries('abcdef'.split('').map((name) => [`/${name}`, htmlPage(name)]))
  const answers: Record<string, Served> = { '/': htmlPage('Home', links(...Object.keys(pages))), ...pages }
  const site = await origin((path) => {
    const body = answers[path]
    // Without it, one connection would serve all requests.
    const headers = { connection: 'close' }
    return typeof body === 'string' ? { headers, body } : { status: 404, headers }
  })
  // robots.txt, the first page, the guessed sitemaps and a page that no site has are requested; then the name resolves to
  // another machine on the internal network.
  const { hosts, lookup } = createLookup({ 'docs.test': [...Array<string[]>(11).fill(['127.0.0.1']), ['127.0.0.2']] })
  const { pages: read, reasons } = await mirror(`http://docs.test:${site.port}/`, {
    lookup,
    limits: { retries: 0, atOnce: 1, lostShare: 1 },
  })
  expect(site.connections()).toBe(11)
  expect(hosts.length).toBeGreaterThan(11)
  expect(read.size).toBeLessThan(7)
  expect(reasons.get('/f')).toContain('docs.test is at 127.0.0.2')
})

test('redirects to other origins, with passwords or in circles are not followed, and no cookie or referrer is sent', async () => {
  const other = await origin(() => htmlPage('Inner'))
  const site = await origin((path) => {
    const answers: Record<string, Served> = {
      '/': htmlPage(
        'Home',
        `${links('/out', '/meta', '/file', '/password', '/circle', '/long/0', '/refresh', '/ok', `${other.url}/x`, `http://u:hunter2@127.0.0.1:${other.port}/y`)}
         <img src="${other.url}/a.png"><img src="/moved.png"><iframe src="${other.url}/frame"></iframe><base href="${other.url}/">`,
      ),
      '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: `Sitemap: ${other.url}/sitemap.xml` },
      '/out': movedTo(`${other.url}/secret`),
      '/meta': movedTo('http://169.254.169.254/latest/meta-data/'),
      '/file': movedTo('file:///etc/passwd'),
      '/password': movedTo('http://u:p@' + `127.0.0.1:${site.port}/ok`),
      '/circle': movedTo('/circle-2'),
      '/circle-2': movedTo('/circle'),
      '/refresh': `<meta http-equiv="refresh" content="0;url=${other.url}/z"><p>Moved</p>`,
      '/moved.png': movedTo(`${other.url}/b.png`),
      '/ok': htmlPage('Fine'),
    }
    const [, step] = /^\/long\/(\d+)$/.exec(path) ?? []
    const served = step === undefined ? answers[path] : movedTo(`/long/${Number(step) + 1}`)
    if (typeof served !== 'string') return served
    return { headers: { 'set-cookie': ['session=secret', 'b=2; Path=/'] }, body: served }
  })
  const { reasons, files, pages } = await mirror(`${site.url}/`, { limits: { lostShare: 1 } })
  expect(other.heard).toEqual([])
  expect(pages.has('ok')).toBe(true)
  expect(reasons.get('/out')).toContain('it redirects to another site')
  expect(reasons.get('/meta')).toContain('it redirects to another site')
  expect(reasons.get('/file')).toMatch(/redirects to another site/)
  expect(reasons.get('/password')).toBe('it redirects to an address with a password')
  expect(reasons.get('/circle')).toContain('in a circle')
  expect(reasons.get('/long/0')).toContain('in a circle, or too often')
  const hosts = (start: string) => site.heard.filter(({ path }) => path.startsWith(start)).length
  expect([hosts('/circle'), hosts('/long/')]).toEqual([2, 6])
  expect(reasons.get('/moved.png')).toContain('it redirects to another site')
  const headerNames = new Set(site.heard.flatMap(({ headers }) => Object.keys(headers)))
  expect([...headerNames].toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ])
  const redirects = [...files].filter(([name]) => !['index.html', 'ok.html', 'refresh.html'].includes(name))
  expect(redirects).toEqual([])
})

test('a mirror fails if the first page redirects to another origin, and the error names that origin', async () => {
  const other = await origin(() => htmlPage('Inner'))
  for (const first of [
    movedTo(`${other.url}/`),
    `<meta http-equiv="refresh" content="0;url=${other.url}/"><p>Moved</p>`,
  ]) {
    const site = await origin({ '/': first })
    await expect(mirror(`${site.url}/`)).rejects.toThrow(other.url)
  }
  expect(other.heard).toEqual([])
})

test('huge, compressed, slow, stalled and broken responses stay within the limits, and the rest of the site is read', async () => {
  const mb = 1024 * 1024
  const bomb = Buffer.alloc(8 * mb)
  const endless: Served = (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    const piece = Buffer.alloc(64 * 1024, 'x')
    const more = () => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  }
  const drip: Served = (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    const timer = setInterval(() => response.write('x'), 50)
    response.on('close', () => clearInterval(timer))
  }
  const bad: Record<string, [Served, RegExp]> = {
    '/endless': [endless, /it has more than 256 kB/],
    '/gzip': [{ headers: { 'content-encoding': 'gzip' }, body: gzipSync(bomb) }, /it has more than 256 kB/],
    '/brotli': [
      {
        headers: { 'content-encoding': 'br' },
        body: brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
      },
      /it has more than 256 kB/,
    ],
    '/twice': [{ headers: { 'content-encoding': 'gzip, gzip' }, body: gzipSync(gzipSync(bomb)) }, /cannot be read/],
    '/zstd': [{ headers: { 'content-encoding': 'zstd' }, body: 'x' }, /cannot be read/],
    '/drip': [drip, /it did not come within 3 s/],
    '/silent': [() => {}, /it did not come within 3 s/],
    '/cut': [
      (response) => response.writeHead(200, { 'content-length': 9_000 }).write('x', () => response.destroy()),
      /the connection failed/,
    ],
    '/heads': [{ headers: { 'x-long': 'x'.repeat(60_000) }, body: '' }, /cannot be read|the connection failed/],
    '/deep': [htmlPage('Deep', '<div>'.repeat(20_000)), /nested too deep|took more|cannot be read/],
    '/error': [{ status: 500 }, /it answers 500/],
    '/later': [{ status: 503, headers: { 'retry-after': '86400' } }, /it answers 503/],
    '/big.png': [{ headers: { 'content-type': 'image/png' }, body: Buffer.alloc(2 * mb) }, /it has more than 1024 kB/],
  }
  const site = await origin((path) =>
    path === '/'
      ? htmlPage('Home', `${links(...Object.keys(bad), '/ok')}<img src="/big.png">`)
      : path === '/ok'
        ? htmlPage('Fine')
        : bad[path]?.[0],
  )
  const { reasons, pages } = await mirror(`${site.url}/`, {
    limits: { pageBytes: 256 * 1024, mediaBytes: mb, answerMs: 3_000, lostShare: 1 },
  })
  for (const [path, [, why]] of Object.entries(bad)) expect(reasons.get(path), path).toMatch(why)
  expect([...pages.keys()].toSorted()).toEqual(['index', 'ok'])
  // Reading stops once a response is too large, so only the chunks already in transit exceed the limit.
  expect(site.sentBytes()).toBeLessThan(16 * mb)
})

test('the valid entries of sitemaps that are too large, use entities, name other hosts or list each other are read', async () => {
  const other = await origin(() => htmlPage('Inner'))
  const laughs = '<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>'
  const sitemapNames = ['bomb.gz', 'laughs', 'deep', 'list', 'relative', 'next-0', 'page']
  const maps: Record<string, string | Buffer> = {
    '/sitemap.xml': `<sitemapindex>${sitemapNames.map((name) => `<sitemap><loc>/maps/${name}</loc></sitemap>`).join('')}</sitemapindex>`,
    '/maps/bomb.gz': gzipSync(Buffer.alloc(8 * 1024 * 1024)),
    '/maps/laughs': `${laughs}<urlset><url><loc>&b;&c;</loc></url></urlset>`,
    '/maps/deep': '<a>'.repeat(20_000),
    '/maps/relative': '<urlset><url><loc>/below</loc></url><url><loc>no address</loc></url></urlset>',
    '/maps/list': `http://169.254.169.254/latest\nhttp://u:hunter2@127.0.0.1/x\nfile:///etc/passwd\n${other.url}/x\n`,
  }
  const site = await origin((path) => {
    if (path === '/') return htmlPage('Home')
    if (path === '/maps/list')
      return { headers: { 'content-type': 'text/plain' }, body: `${maps[path]!.toString()}${site.url}/ok\n` }
    if (path === '/ok' || path === '/maps/page') return htmlPage('Fine')
    if (path === '/below') return htmlPage('Below')
    const [, step] = /^\/maps\/next-(\d+)$/.exec(path) ?? []
    const next = `<sitemapindex><sitemap><loc>/maps/next-${Number(step) + 1}</loc></sitemap></sitemapindex>`
    const body = step === undefined ? maps[path] : next
    return body === undefined ? undefined : { headers: { 'content-type': 'application/xml' }, body }
  })
  const limits = { pageBytes: 256 * 1024, sitemaps: 12 }
  const { pages, leftOut } = await mirror(`${site.url}/`, { limits })
  expect([pages.has('ok'), pages.has('below')]).toEqual([true, true])
  expect(other.heard).toEqual([])
  expect(site.heard.filter(({ path }) => path.startsWith('/maps/')).length).toBeLessThanOrEqual(12)
  const reasons = leftOut.map(({ file, reason }) => `${file.replace(site.url, '')} ${reason}`)
  for (const expected of [
    /bomb\.gz sitemap: it cannot be unpacked, or is too large/,
    /page sitemap: it is an HTML page/,
    /no address sitemap: it is no address/,
    /next-\d+ sitemap: more than 12 are not read/,
  ])
    expect(reasons).toContainEqual(expect.stringMatching(expected))
})

test('endless lists, calendars, nested paths and repeated pages are cut off, and the omitted addresses are reported', async () => {
  const site = await origin((path) => {
    if (path === '/' || path === '/ok') return htmlPage(path, links('/list/1', '/deep/x', '/same/a', '/echo/', '/ok'))
    const [, kind = '', rest = ''] = /^\/(list|deep|same|echo)\/(.*)$/.exec(path) ?? []
    if (kind === 'list') return htmlPage(path, links(`/list/${Number(rest) + 1}`, `/list/${Number(rest) + 2}`))
    if (kind === 'deep') return htmlPage(path, links(`${path}-/y${rest.length}`))
    if (kind === 'same') return htmlPage('Same', '', links(`/same/${rest}a`, `/same/${rest}b`))
    if (kind === 'echo') return htmlPage(path, links(`${path}echo/`))
    return undefined
  })
  const { count, pages, leftOut } = await mirror(`${site.url}/`, { limits: { ofOneShape: 15, depth: 8 } })
  const reasons = new Set(leftOut.map(({ reason }) => reason.replace(/^\d+ more: /, '')))
  expect(reasons).toEqual(
    new Set([
      'more than 15 addresses differ from it in numbers only',
      'more than 20 addresses have this very page',
      'its path has more than 8 parts',
      'its path repeats itself',
    ]),
  )
  expect(count).toBeLessThan(60)
  expect(pages.has('ok')).toBe(true)
})

test('a mirror stays within its limits on pages, addresses, bytes and time', async () => {
  const site = await origin((path) =>
    htmlPage(
      `Page ${path.length} of ${path}`,
      links(...'abcdefghij'.split('').map((name) => `${path.slice(0, 9)}${name}`)),
    ),
  )
  const cut = async (limits: object) =>
    (await mirror(`${site.url}/`, { limits: { depth: 99, ...limits } })).leftOut.map(({ reason }) => reason)
  expect(await cut({ pages: 12, addresses: 60 })).toEqual(
    expect.arrayContaining(['a site may have 12 pages', 'a site may have 60 addresses']),
  )
  expect((await cut({ totalBytes: 3_000 }))[0]).toContain('the rest of it is not here')
  const before = site.heard.length
  await expect(cut({ totalMs: -1 })).rejects.toThrow('reading the site took more than')
  const asked = site.heard.slice(before).filter(({ path }) => path.includes('sitemap'))
  expect(asked).toEqual([])
})

test('a mirror fails with the number of pages read if the site stops responding, and ends at once if it is aborted', async () => {
  let isGone = false
  const names = Array.from(
    { length: 40 },
    (_, index) => `/${String.fromCodePoint(97 + (index % 26))}${'x'.repeat(index)}`,
  )
  const site = await origin((path) => {
    if (isGone) return (response) => response.destroy()
    if (path === names[5]) isGone = true
    return path === '/' ? htmlPage('Home', links(...names)) : htmlPage(path)
  })
  await expect(mirror(`${site.url}/`, { limits: { retries: 0, goneAfter: 5 } })).rejects.toThrow(
    /stopped answering after \d+ pages?/,
  )
  const stop = new AbortController()
  const slow = await origin((path) =>
    path === '/' ? htmlPage('Home', links('/a')) : path === '/a' ? () => stop.abort(new Error('stopped')) : undefined,
  )
  await expect(mirror(`${slow.url}/`, { signal: stop.signal })).rejects.toThrow('stopped')
})
