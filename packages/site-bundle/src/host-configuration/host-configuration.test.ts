import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { findHashedFolders } from './hosted-site.ts'
import { parseBundleRules } from '#locator/bundle-rules.ts'
import { findPlaceProblem, writeHostConfiguration, type Host } from './write-configuration.ts'

const hosts: Host[] = ['nginx', 'caddy', 'apache', 's3_cloudfront', 'netlify', 'cloudflare_pages']
const place = { name: 'docs.example.com', folder: '/srv/docs', path: '/' }

const bundle = (paths: readonly string[], redirects: { from: string; to: string }[] = [], root = '') => ({
  sha256: 'a'.repeat(64),
  root,
  files: paths.map((path) => ({ path: root + path, sizeBytes: 1, sha256: '', type: '' })),
  redirects,
})

const write = (host: Host, manifest: ReturnType<typeof bundle>, at: Partial<typeof place> = {}) =>
  new Map(writeHostConfiguration(host, manifest, { ...place, ...at }).map(({ name, text }) => [name, text]))

const whole = (...args: Parameters<typeof write>) => [...write(...args).values()].join('\n')

const hostile = [
  'a";} server { listen 81; } #',
  "a'\n  return 200 'owned';\n",
  'a`} respond "owned" 200 #',
  '{$HOME}{env.HOME}$uri${HOME}$(id)`id`%{ENV:HOME}',
  'a"></VirtualHost>\r\nSetHandler owned\u2028\u0000\uD800😀',
]

test.for(hosts)('no hostile redirect is written unescaped into the configuration for %s', (host) => {
  const redirects = hostile.flatMap((text, place) => [
    { from: `/${text}`, to: '/guide' },
    { from: `/${text}/*`, to: `/${text}/:splat` },
    { from: `/to-${place}`, to: `/${text}` },
    { from: `/bare-${place}`, to: text },
  ])
  const lines = whole(host, bundle(['index.html', '404.html'], redirects)).split('\n')
  const isComment = (line: string) => /^\s*(#|\/\/)/.test(line)
  for (const line of lines) {
    // oxlint-disable-next-line no-control-regex -- None may be there.
    expect(line).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u2028\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
    // In JSON and in the program, quotes end with a backslash in front of them.
    if (!isComment(line) && host !== 's3_cloudfront')
      expect(line).not.toMatch(/\$HOME|\$\(id\)|\{env|listen 81|owned["']|<\/VirtualHost>\r/)
    expect(line).not.toMatch(/^\s*(return 200|SetHandler owned|server \{ listen 81|respond "owned")/)
  }
})

test('accidental redirects to other hosts, to themselves or from every path are left out with the reason', () => {
  const redirects = [
    { from: '/a', to: '//evil.example' },
    { from: '/b', to: '/\\evil.example' },
    { from: '/c/*', to: 'https://:splat' },
    { from: '/d', to: '/d/' },
    { from: '/*', to: '/index.html' },
    { from: '/e', to: 'javascript:alert(1)' },
    { from: '/f', to: 'https://elsewhere.example/' },
  ]
  for (const host of hosts) {
    const text = whole(host, bundle(['index.html'], redirects))
    expect(text).toContain('left out: 5')
    expect(text).toContain('https://elsewhere.example/')
    expect(text).not.toMatch(/^[^#]*\/\/evil/m)
  }
})

test('thousands of redirects stay within the limits of each host', () => {
  const redirects = Array.from({ length: 5_000 }, (_, at) => [
    { from: `/old/page-${at}`, to: `/guide/${at}` },
    { from: `/folder-${at}/*`, to: '/guide/:splat' },
  ]).flat()
  const manifest = bundle(['index.html', '404.html'], redirects)
  const cloudflare = write('cloudflare_pages', manifest).get('_redirects')!
  const lines = cloudflare.split('\n').filter((line) => line.startsWith('/'))
  expect([lines.length, lines.filter((line) => line.includes('*')).length]).toEqual([2_100, 100])
  expect(cloudflare).toContain('Redirects that this host cannot have: 7900')
  const aws = write('s3_cloudfront', manifest)
  expect(Buffer.byteLength(aws.get('viewer-request.js')!)).toBeLessThan(10_240)
  const { data } = JSON.parse(aws.get('key-value-store.json')!) as { data: { key: string }[] }
  expect(data.map(({ key }) => key)).toContain('>/old/page-4999')
})

test('for Cloudflare Pages, redirects from paths where files exist are left out', () => {
  const redirects = [
    { from: '/guide', to: '/never' },
    { from: '/v1/*', to: '/guide' },
    { from: '/old/*', to: '/guide' },
  ]
  const files = write('cloudflare_pages', bundle(['index.html', 'guide.html', 'v1/file.css'], redirects))
  expect(
    files
      .get('_redirects')!
      .split('\n')
      .filter((line) => line.startsWith('/')),
  ).toEqual(['/old/* /guide 302'])
  // Without a page for unknown addresses, it would answer each with the first page.
  expect([...files.keys()]).toContain('404.html')
})

test('the CloudFront function finds pages, and redirects with the query in the right place', async () => {
  const redirects = [
    { from: '/old', to: '/guide?a=1#part' },
    { from: '/__proto__', to: '/guide' },
  ]
  const code = write('s3_cloudfront', bundle(['index.html', 'guide.html', 'api/index.html'], redirects)).get(
    'viewer-request.js',
  )!
  const handler = runInNewContext(`${code}\nhandler`, { decodeURIComponent, encodeURIComponent }) as (
    event: object,
  ) => Promise<unknown>
  const ask = (uri: string) => handler({ request: { uri, querystring: { q: { value: 'x' } } } })
  expect(await ask('/guide')).toMatchObject({ uri: '/guide.html' })
  expect(await ask('/api')).toMatchObject({ statusCode: 308, headers: { location: { value: '/api/?q=x' } } })
  expect(await ask('/old/')).toMatchObject({ statusCode: 302, headers: { location: { value: '/guide?a=1&q=x#part' } } })
  expect(await ask('/__proto__')).toMatchObject({ statusCode: 302 })
  expect(await ask('//evil.example/..')).toMatchObject({ uri: '/.docket-nothing' })
})

const withRules = (paths: readonly string[], redirects: string) => ({
  ...bundle(paths),
  rules: parseBundleRules({ redirects, vercel: null, headers: null }),
})

test('a bundle’s own rules stay in place on hosts that read them, and in a folder each is written or named', () => {
  const rules = '/old /guide 301\n/app/* /index.html 200\n/lang /de/ 302 Language=de\n/go id=:id /post/:id 301\n'
  const own = withRules(['index.html', '404.html', '_redirects', '_headers'], rules)
  for (const host of ['netlify', 'cloudflare_pages'] as const) {
    const files = write(host, own)
    expect([...files.keys()]).toEqual(['add-to-_redirects.txt', 'add-to-_headers.txt'])
    expect(files.get('add-to-_redirects.txt')).toContain('own _redirects stays in place')
    expect(files.get('add-to-_redirects.txt')).not.toMatch(/^\//m)
  }
  const netlify = write('netlify', own, { path: '/docs/' }).get('_redirects')!
  expect(netlify.split('\n').filter((line) => line.startsWith('/'))).toEqual([
    '/docs/old /docs/guide 301',
    '/docs/go id=:id /docs/post/:id 301',
    '/docs/app/* /docs/index.html 200',
    '/docs/* /docs/404.html 404',
  ])
  expect(netlify).toContain('/lang to /de/: it depends on the language of the reader')
  const cloudflare = write('cloudflare_pages', own, { path: '/docs/' }).get('_redirects')!
  expect(cloudflare).toContain('/docs/go: Cloudflare Pages reads neither queries nor the statuses 404 and 410')
})

test('rules whose file depends on the address, and those that lead to the place itself, are named', () => {
  const rules = '/docs/* /guide/:splat 200\n/* https://DOCS.example.com/:splat 301\n'
  for (const host of hosts) {
    const text = whole(host, withRules(['index.html', '404.html'], rules), { path: '/site/' })
    const isWritten = host === 'netlify' || host === 'cloudflare_pages'
    expect(text).toContain(`left out: ${isWritten ? 1 : 2}`)
    expect(text.includes('its file depends on the address')).toBe(!isWritten)
    expect(text).toContain('https://DOCS.example.com/:splat: it leads to itself')
  }
})

test('an app whose every address is its first page gets no page for unknown addresses at Cloudflare Pages', () => {
  const files = write('cloudflare_pages', withRules(['index.html'], '/* /index.html 200\n'))
  expect(files.has('404.html')).toBe(false)
})

test('the CloudFront function follows statuses, names and the path of a site, and its file names what it leaves out', async () => {
  const rules =
    '/old /guide 301\n/v/:a/* /guide/:a?rest=:splat\n/app/* /index.html 200\n/go id=:id /post/:id 303\n/gone /x 410\n/css/* /guide 302!\n'
  const paths = ['index.html', 'guide.htm', 'API/Index.HTML', 'show.php?id=3', 'css/a.css']
  const files = write('s3_cloudfront', withRules(paths, rules), { path: '/docs/' })
  const handler = runInNewContext(`${files.get('viewer-request.js')!}\nhandler`, {
    decodeURIComponent,
    encodeURIComponent,
  }) as (event: object) => Promise<{ uri?: string; statusCode?: number; headers?: { location: { value: string } } }>
  const ask = async (uri: string) => {
    const { uri: to, statusCode, headers } = await handler({ request: { uri, querystring: {} } })
    return to ?? `${statusCode} ${headers?.location.value ?? ''}`.trim()
  }
  expect(await ask('/docs/old/')).toBe('301 /docs/guide')
  expect(await ask('/docs/v/%C3%BC/b/c')).toBe('302 /docs/guide/%C3%BC?rest=b/c')
  expect(await ask('/docs/app/any')).toBe('/docs/index.html')
  expect(await ask('/docs/gone')).toBe('410')
  expect(await ask('/docs/css/b.css')).toBe('302 /docs/guide')
  expect(await ask('/docs/css/a.css')).toBe('/docs/css/a.css')
  expect(await ask('/docs/guide')).toBe('/docs/guide.htm')
  expect(await ask('/docs/API/')).toBe('/docs/API/Index.HTML')
  expect(await ask('/guide')).toBe('302 /docs/guide')
  expect(await ask('/docs')).toBe('302 /docs/')
  expect(await ask('/nowhere')).toBe('302 /docs/nowhere')
  for (const note of [
    '/go: left out, because it depends on the query',
    '/css/*: counts only where the site has no file',
    'Files with a question mark in their names have no address here.',
    'Every address outside /docs/ is redirected to the same one below it.',
  ])
    expect(files.get('sync.sh')).toContain(note)
})

test('only folders in which every file name has a hash are cached forever', () => {
  const hashed = ['assets/app-BxJ3k2aQ.js', 'assets/chunks/a.3f2a9c1d.js', 'assets/style.3f2a9c1d.css']
  expect(findHashedFolders(hashed)).toEqual(['assets/'])
  expect(findHashedFolders([...hashed, 'assets/logo.png'])).toEqual([])
  const plain = ['img/report-20240131.png', 'img/getting-started.png', 'a"b/x.3f2a9c1d.js', 'a"b/y.3f2a9c1d.js']
  expect(findHashedFolders(plain)).toEqual([])
  for (const host of ['nginx', 'caddy', 'apache', 's3_cloudfront', 'netlify', 'cloudflare_pages'] as const)
    expect(whole(host, bundle(['index.html', ...hashed]), { path: '/docs/' })).toMatch(/assets[\s\S]*immutable/)
})

test('files that are not meant for readers are not served on any host', () => {
  const hidden = [
    'export-report.json',
    '_redirects',
    '_headers',
    '.gitignore',
    'a/.gitattributes',
    '.git/x',
    '.docket/x',
  ]
  const manifest = bundle(['index.html', 'a/export-report.json', ...hidden])
  for (const host of ['nginx', 'caddy', 'apache'] as const) {
    const [, pattern = ''] = /\(\?:export-report[^"`\n]*/.exec(whole(host, manifest))![0].split(/^(.*)\\z/)
    for (const path of hidden) expect(path).toMatch(new RegExp(`^${pattern}$`, 'i'))
    expect('a/export-report.json').not.toMatch(new RegExp(`^${pattern}$`, 'i'))
  }
  const aws = whole('s3_cloudfront', manifest)
  expect(aws).toMatch(/^sync\(\) .*--exclude 'export-report\.json'.*--exclude '\*\/\.gitattributes'/m)
  expect(aws).not.toContain('"/_redirects"')
  for (const host of ['netlify', 'cloudflare_pages'] as const)
    expect(whole(host, manifest)).toContain('Remove export-report.json, .gitignore and .gitattributes')
})

test('an archive root that no configuration can name is described, but not used', () => {
  for (const host of ['nginx', 'caddy', 'apache'] as const) {
    const text = whole(host, bundle(['index.html'], [], 'a"; $uri/'))
    expect(text).toContain('Move the content of that folder to /srv/docs.')
    expect(text).not.toMatch(/^[^#]*\$uri\//m)
    expect(whole(host, bundle(['index.html'], [], 'site/'))).toContain('"/srv/docs/site"')
  }
})

test.for([
  [{ name: 'docs.example.com; }' }, 'name'],
  [{ name: 'docs..example' }, 'name'],
  [{ name: '*' }, 'name'],
  [{ folder: '/srv/"docs' }, 'folder'],
  [{ folder: 'srv/docs' }, 'folder'],
  [{ folder: '/srv/../etc' }, 'folder'],
  [{ folder: '/srv/$docs' }, 'folder'],
  [{ path: '/a b/' }, 'path'],
  [{ path: 'docs/' }, 'path'],
  [{ path: '//evil/' }, 'path'],
  [{ folder: '/srv/our docs', path: '/hand-book/v1.2/' }, null],
] as const)('for the place %j, the part refused in a configuration is %s', ([change, problem]) => {
  expect(findPlaceProblem({ ...place, ...change })).toBe(problem)
  if (problem !== null)
    expect(() => writeHostConfiguration('nginx', bundle([]), { ...place, ...change })).toThrow(TypeError)
})
