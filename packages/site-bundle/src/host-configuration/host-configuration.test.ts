import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { findHashedFolders } from './hosted-site.ts'
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
  expect(data.map(({ key }) => key)).toContain('/old/page-4999')
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
  const handler = runInNewContext(`${code}\nhandler`, { decodeURIComponent }) as (event: object) => Promise<unknown>
  const ask = (uri: string) => handler({ request: { uri, querystring: { q: { value: 'x' } } } })
  expect(await ask('/guide')).toMatchObject({ uri: '/guide.html' })
  expect(await ask('/api')).toMatchObject({ statusCode: 308, headers: { location: { value: '/api/?q=x' } } })
  expect(await ask('/old/')).toMatchObject({ statusCode: 302, headers: { location: { value: '/guide?a=1&q=x#part' } } })
  expect(await ask('/__proto__')).toMatchObject({ statusCode: 302 })
  expect(await ask('//evil.example/..')).toMatchObject({ statusCode: 404 })
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
