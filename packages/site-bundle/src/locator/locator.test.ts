import { expect, test } from 'vitest'
import { describeLocated, locateIn, smallSites } from '#testing/small-sites.ts'
import { parseBundleRules, readEarlierRules, toEarlierRedirects } from './bundle-rules.ts'
import { addQuery, readOwnAddress } from './addresses.ts'
import { createSiteLocator } from './locator.ts'

const files = [
  'index.html',
  'guide.html',
  'api/index.html',
  'a b/ü.html',
  'style.css',
  '404.html',
  'export-report.json',
  '_redirects',
  '_headers',
  'vercel.json',
  '.gitignore',
  'api/.gitattributes',
  '.git/config',
  '.docket/delivery.json',
  '.docket-x.html',
  'api/export-report.json',
  'api/_headers',
  '.github/index.html',
].map((path) => ({ path: `site/${path}`, type: path.endsWith('.html') ? 'text/html' : 'text/plain' }))
const earlier = createSiteLocator({
  root: 'site/',
  mount: '/',
  files: [...files, { path: 'secret.html', type: 'text/html' }],
  rules: readEarlierRules([
    { from: '/old', to: '/guide' },
    { from: '/v1/*', to: '/api/:splat' },
    { from: '/guide', to: '/never' },
    { from: '/away', to: 'https://elsewhere.example/' },
    { from: '/evil/*', to: '/:splat' },
    { from: '/host/*', to: 'https://:splat' },
    { from: '/encoded%20name', to: '/a b/ü"\n' },
    { from: '/loop', to: '/loop/' },
    { from: '/*', to: '/index.html' },
  ]),
})

test.for([
  ['/', '200 site/index.html'],
  ['/index.html', '200 site/index.html'],
  ['/guide', '200 site/guide.html'],
  ['/guide.html', '200 site/guide.html'],
  ['/guide/', '308 /guide'],
  ['/api/', '200 site/api/index.html'],
  ['/api', '308 /api/'],
  ['/a%20b/%C3%BC', '200 site/a b/ü.html'],
  ['/a%20b/%C3%BC/', '308 /a%20b/%C3%BC'],
  ['/style.css', '200 site/style.css'],
  ['/old', '302 /guide'],
  ['/old/', '302 /guide'],
  ['/v1/x/y', '302 /api/x/y'],
  ['/v1/', '302 /api/'],
  ['/v1', '404 site/404.html'],
  ['/away', '302 https://elsewhere.example/'],
  ['/v1/%C3%BC%0d', '302 /api/%C3%BC%0d'],
  ['/v1/$&', '302 /api/%24&'],
  ['/evil//evil.example', '404 site/404.html'],
  ['/evil/.//evil.example', '404 site/404.html'],
  ['/host/evil.example', '404 site/404.html'],
  ['/encoded%20name', '302 /a%20b/%C3%BC%22%0A'],
  ['/loop', '404 site/404.html'],
  ['/nowhere', '404 site/404.html'],
  ['/export-report.json', '404 site/404.html'],
  ['/%65xport-report%2Ejson', '404 site/404.html'],
  ['/_redirects', '404 site/404.html'],
  ['/_headers', '404 site/404.html'],
  ['/vercel.json', '404 site/404.html'],
  ['/.gitignore', '404 site/404.html'],
  ['/api/.gitattributes', '404 site/404.html'],
  ['/.git/config', '404 site/404.html'],
  ['/.docket/delivery.json', '404 site/404.html'],
  ['/.docket-x', '404 site/404.html'],
  ['/api/export-report.json', '200 site/api/export-report.json'],
  ['/api/_headers', '200 site/api/_headers'],
  ['/.github/', '200 site/.github/index.html'],
  ['/secret', '404 site/404.html'],
  ['/../secret', '404 site/404.html'],
  ['/%2e%2e/secret', '404 site/404.html'],
  ['//evil.example', '404 site/404.html'],
  ['/%2Fevil.example', '404 site/404.html'],
  ['/\\evil.example', '404 site/404.html'],
  ['/%', '404 site/404.html'],
  ['/%00', '404 site/404.html'],
] as const)('the address %s leads to %s', ([address, expected]) => {
  expect(describeLocated(earlier.resolve(address))).toBe(expected)
})

const expected: Record<keyof typeof smallSites, readonly (readonly [string, string])[]> = {
  'built for a path': [
    ['/proj/', '200 index.html'],
    ['/proj', '302 /proj/'],
    ['/', '302 /proj/'],
    ['/proj/site.css', '200 site.css'],
    ['/%70roj/site.css', '200 site.css'],
    ['/site.css', '302 /proj/site.css'],
    ['/proj/guide/', '200 guide/index.html'],
    ['/proj/guide', '308 /proj/guide/'],
    ['/guide', '302 /proj/guide'],
    ['/guide/start?a=b', '302 /proj/guide/start?a=b'],
    ['/nowhere', '404 404.html'],
    ['/proj/nowhere', '404 404.html'],
    ['/proj//evil.example', '404 404.html'],
    ['/project/', '404 404.html'],
  ],
  'rules with statuses, names and conditions': [
    ['/old', '301 /new'],
    ['/old?a=1', '301 /new?a=1'],
    ['/news/2024/hello', '302 /blog/2024/hello'],
    ['/news/2024/hello/', '302 /blog/2024/hello'],
    ['/news/2024', '404 404.html'],
    ['/docs/a/b', '301 /guide/a/b'],
    ['/docs/kept', '301 /guide/kept'],
    ['/app/settings', '200 app/index.html'],
    ['/fr/zzz', '404 fr/404.html'],
    ['/fr/', '200 fr/index.html'],
    ['/go?id=7', '301 /post/7'],
    ['/go?id=%2Fevil', '301 /post/%2Fevil'],
    ['/go', '404 404.html'],
    ['/gone', '410 404.html'],
    ['/lost/', '404 404.html'],
    ['/lost/404.html', '404 404.html'],
    ['/lang', '302 /new'],
    ['/moved', '302 /new'],
    ['/sp%20ace', '302 /new'],
    ['/tab', '303 /de/'],
    ['/api/users', '404 404.html'],
  ],
  'a 404 page for each language': [
    ['/de/zzz', '404 de/404.html'],
    ['/de/a/b/', '404 de/404.html'],
    ['/zzz', '404 404.html'],
  ],
  'rules that never arrive': [
    ['/old', '301 /nowhere'],
    ['/newfoo', '404 404.html'],
    ['/x/y', '404 404.html'],
  ],
  'old endings and capital letters': [
    ['/', '200 index.htm'],
    ['/guide/', '200 guide/index.htm'],
    ['/guide', '308 /guide/'],
    ['/guide/start', '200 guide/start.htm'],
    ['/guide/start/', '308 /guide/start'],
    ['/API/', '200 API/Index.HTML'],
    ['/api/', '404 404.htm'],
    ['/ch1', '200 ch1.xhtml'],
    ['/zzz', '404 404.htm'],
  ],
  'names as macOS writes them': [
    ['/%C3%BCber-uns.html', `200 ${'über-uns.html'.normalize('NFD')}`],
    ['/%C3%BCber-uns', `200 ${'über-uns.html'.normalize('NFD')}`],
    ['/u%CC%88ber-uns', `200 ${'über-uns.html'.normalize('NFD')}`],
    ['/%C3%BCber-uns/', '308 /%C3%BCber-uns'],
    ['/bild-%C3%BC.png', `200 ${'bild-ü.png'.normalize('NFD')}`],
  ],
  'names as a crawler writes them': [
    ['/style.css?v=2', '200 style.css?v=2'],
    ['/style.css%3Fv=2', '200 style.css?v=2'],
    ['/style.css?v=3', '404 404.html'],
    ['/view.php?id=3', '200 view.php?id=3'],
    ['/view.php?id=4', '200 view.php?id=4.html'],
    ['/guide/start', '200 guide/start'],
    ['/guide/start/', '308 /guide/start'],
  ],
  'rules of Vercel': [
    ['/docs/start', '308 /guide/start'],
    ['/docs', '308 /guide'],
    ['/post/42', '307 /blog/42'],
    ['/post/new', '404 404.html'],
    ['/n/42', '404 404.html'],
    ['/v1/a/b', '308 https://v1.example.net/a/b'],
    ['/taken', '308 /guide/start'],
    ['/app/any/thing', '200 app/index.html'],
    ['/app', '308 /app/'],
    ['/slow/aaaa', '404 404.html'],
    ['/here', '404 404.html'],
  ],
}

test.for(
  Object.entries(expected).flatMap(([name, pairs]) => pairs.map(([asked, leads]) => [name, asked, leads] as const)),
)('%s: %s leads to %s', ([name, asked, leads]) => {
  const site = locateIn(smallSites[name as keyof typeof smallSites], name === 'built for a path' ? '/proj/' : '/')
  const [address = '', query = ''] = asked.split('?', 2)
  expect(describeLocated(site.resolve(address, { query }))).toBe(leads)
})

const parse = (redirects: string, headers = '') => parseBundleRules({ redirects, vercel: null, headers })

test('a rule that only some readers would get is left out by name, and the rule after it counts', () => {
  const { rules, leftOut } = parse(smallSites['rules with statuses, names and conditions']._redirects)
  expect(rules.filter(({ from }) => from === '/lang')).toMatchObject([{ to: '/new', status: 302 }])
  expect(leftOut).toEqual([
    { from: '/lang', to: '/de/', why: 'it depends on the language of the reader', file: '_redirects' },
    {
      from: '/api/*',
      to: 'https://api.example.net/:splat',
      why: 'it passes requests on to another host',
      file: '_redirects',
    },
    {
      from: 'https://blog.example.net/*',
      to: '/blog/:splat',
      why: 'it depends on the host that a reader asks',
      file: '_redirects',
    },
  ])
})

test.for([
  ['/a /b 302 Country=de', 'it depends on the country of the reader'],
  ['/a /b 200! Role=admin', 'it depends on the role of the reader'],
  ['/a /b 302 Cookie=x', 'it depends on the cookie of the reader'],
  ['/a /b 302 Sign=x', 'it depends on the sign of the reader'],
  ['/a /b 451', 'it has the status 451'],
  ['/* /index.html 302', 'it would redirect every address that the site does not have'],
  ['/* /index.html 200!', 'it would hide every file of the site'],
  ['/new* /b', 'only names between slashes, and * after the last slash, stand for others'],
  ['/h/:host https://:host/', 'readers would choose the host that it leads to'],
  ['/a /a/', 'it leads to itself'],
  ['/b/* /b/:splat 301', 'it leads to itself'],
  ['/a https://other.example/ 404', 'its page is on another host'],
] as const)('the rule “%s” is left out: %s', ([line, why]) => {
  expect(parse(line)).toMatchObject({ rules: [], leftOut: [{ why }] })
})

test.for([
  ['/* /index.html 200', '/', '/settings/mail', '200 index.html'],
  ['/* /index.html 200', '/', '/guide/', '308 /guide'],
  ['/* /index.html 200', '/proj/', '/settings', '302 /proj/settings'],
  ['/* /nowhere 200', '/', '/settings', '404 404.html'],
  ['/* https://new.example/docs/:splat 301', '/', '/old/a?x=1', '301 https://new.example/docs/old/a?x=1'],
  ['/* https://new.example/:splat 301', '/', '/guide', '200 guide.html'],
  ['/* https://here.example/:splat 301', '/', '/old', '404 404.html'],
  ['/* https://here.example/:splat 301', '/proj/', '/proj/old', '404 404.html'],
  ['/* https://here.example/docs/:splat 301', '/', '/old', '301 https://here.example/docs/old'],
  ['/old https://here.example/old/ 301', '/', '/old/', '404 404.html'],
] as const)('the rule “%s” of a site at %s leads %s to %s', ([_redirects, mount, asked, leads]) => {
  const doc = '<!doctype html>'
  const site = locateIn({ 'index.html': doc, 'guide.html': doc, '404.html': doc, _redirects }, mount)
  const [address = '', query = ''] = asked.split('?', 2)
  expect(describeLocated(site.resolve(address, { query, host: 'here.example' }))).toBe(leads)
})

test('what earlier versions read of the rules are redirects without names and conditions', () => {
  const rules = parse(
    '/a /b 301\n/c/* /d/:splat\n/e /f 200\n/g id=1 /h\n/i/:name /j\n/k 410\n/l%20m https://x.example/',
  )
  expect(rules.leftOut).toEqual([])
  expect(toEarlierRedirects(rules)).toEqual([
    { from: '/a', to: '/b' },
    { from: '/c/*', to: '/d/:splat' },
    { from: '/l%20m', to: 'https://x.example/' },
  ])
})

test('headers of a bundle say who may read a file, and leave what Docket decides out by name', () => {
  const site = {
    'index.html': '<!doctype html>',
    _headers:
      '/*\n  Access-Control-Allow-Origin: *\n  Set-Cookie: a=b\n/data/*.json\n  Timing-Allow-Origin: *\n  access-control-allow-origin: https://a.example\n/a/*/b/*\n  X-Robots-Tag: noindex\n',
  }
  const { findHeaders } = locateIn(site)
  expect(findHeaders('/x')).toEqual({ 'Access-Control-Allow-Origin': '*' })
  expect(findHeaders('/data/a%20b.json')).toEqual({
    'Access-Control-Allow-Origin': '*, https://a.example',
    'Timing-Allow-Origin': '*',
  })
  expect(parse('', site._headers).leftOut).toEqual([
    { from: '/*', to: 'Set-Cookie', why: 'Docket decides these headers', file: '_headers' },
    { from: '/a/*/b/*', to: 'X-Robots-Tag', why: 'only one * stands for others here', file: '_headers' },
  ])
})

test('a page has the address that leads to it, even beside others of its name', () => {
  const doc = '<!doctype html>'
  const site = {
    'a.html': doc,
    'a.htm': doc,
    b: doc,
    'b.html': doc,
    'c/index.xhtml': doc,
    'c/index.htm': doc,
    'c.html': doc,
  }
  const { findAddress, resolve } = locateIn(site)
  const addresses = Object.keys(site).map((path) => [path, findAddress(path)])
  expect(Object.fromEntries(addresses)).toEqual({
    'a.html': '/a',
    'a.htm': '/a.htm',
    b: '/b',
    'b.html': '/b.html',
    'c/index.xhtml': '/c/index.xhtml',
    'c/index.htm': '/c/',
    'c.html': '/c',
  })
  for (const [path, address] of addresses) expect(resolve(address!)).toEqual({ kind: 'file', status: 200, path })
})

test('a hostile bundle cannot make an address slow', () => {
  const rules = Array.from({ length: 12_000 }, (_, place) => `/a/:b/c${place}/* /d`).join('\n')
  const { resolve } = locateIn({ 'index.html': '', _redirects: rules })
  const began = process.cpuUsage()
  for (let round = 0; round < 200; round += 1) resolve(`/a/${'b/'.repeat(4_000)}`)
  expect(process.cpuUsage(began).user / 200).toBeLessThan(20_000)
})

test('a redirect keeps the query of the request and puts it before a fragment', () => {
  expect(addQuery('/guide', '')).toBe('/guide')
  expect(addQuery('/guide#install', 'a=b')).toBe('/guide?a=b#install')
  expect(addQuery('https://other.example/?from=old', 'a=b')).toBe('https://other.example/?from=old&a=b')
})

test('addresses of the site are distinguished from those of other sites', () => {
  expect(readOwnAddress('/guide/?a=b#install')).toBe('/guide/?a=b#install')
  for (const address of ['//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)'])
    expect(readOwnAddress(address)).toBeNull()
})

/** The same numbers each time. */
const createRandom = (seed: number) => (below: number) => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed % below
}

test('every file of a generated site is at its address, and every redirect that Docket makes arrives', () => {
  const random = createRandom(7)
  const words = [
    'a',
    'B',
    'index',
    'Index',
    '404',
    'ü',
    'u\u0308',
    '日本',
    'a b',
    '%41',
    "o'",
    '#1',
    'x?v=2',
    ':id',
    '*',
    'proj',
    '.well-known',
  ]
  const endings = ['', '.html', '.htm', '.xhtml', '.HTML', '.css', '.md']
  const pick = (from: readonly string[]) => from[random(from.length)]!
  for (let round = 0; round < 300; round += 1) {
    const paths = Array.from({ length: 1 + random(8) }, () =>
      Array.from({ length: 1 + random(3) }, (_, place) => pick(words) + (place === 0 ? pick(endings) : ''))
        .toReversed()
        .join('/'),
    )
    const site = Object.fromEntries(paths.map((path) => [path, path.endsWith('.css') ? '' : '<!doctype html>']))
    const mount = pick(['/', '/proj/', '/a/b/'])
    const { resolve, findAddress } = locateIn(site, mount)
    for (const path of Object.keys(site)) {
      const address = mount.slice(0, -1) + findAddress(path)
      expect([path, resolve(address)]).toEqual([path, { kind: 'file', status: 200, path }])
      for (const asked of [`${address}/`, address.replace(/\/$/, ''), findAddress(path)]) {
        const found = resolve(asked === '' ? '/' : asked)
        if (found.kind === 'redirect') expect(resolve(found.to)).toMatchObject({ status: 200 })
      }
    }
  }
})

test('no address throws, and a redirect never names another host unless a rule does', () => {
  const random = createRandom(11)
  const pieces = [
    '/',
    '//',
    '\\',
    '%2f',
    '%5C',
    '%',
    '%FF',
    '%00',
    '..',
    '.',
    'guide',
    'v1',
    'evil.example',
    '?',
    '#',
    '\t',
    '\u2028',
    ':',
    '@',
  ]
  const { resolve } = locateIn({
    'guide/index.html': '<!doctype html>',
    _redirects: '/v1/* /:splat\n/v2/:name /:name/guide\n/guide/:a/:b /:a/:b\n',
  })
  for (let round = 0; round < 5_000; round += 1) {
    const address = `/${Array.from({ length: random(8) }, () => pieces[random(pieces.length)]).join('')}`
    const found = resolve(address)
    if (found.kind === 'redirect') expect(new URL(found.to, 'http://own.example').host).toBe('own.example')
  }
})
