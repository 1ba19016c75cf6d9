import type { BundleFile } from '#manifest.ts'
import { createFileKind } from '#file-kind.ts'
import { createSiteLocator, type Located } from '#locator/locator.ts'
import { parseBundleRules } from '#locator/bundle-rules.ts'

const page = (body: string, head = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${body.replaceAll(/<[^>]*>/g, '')}</title>${head}</head><body>${body}</body></html>`

/** Small sites that servers and checks often read in different ways. */
export const smallSites = {
  'built for a path': {
    'index.html': page(
      '<h1>Home</h1><a href="/proj/guide/">Guide</a>',
      '<link rel="stylesheet" href="/proj/site.css">',
    ),
    'guide/index.html': page('<h1>Guide</h1><a href="/proj/guide/start">Start</a><a href="/proj/">Home</a>'),
    'guide/start.html': page('<h1>Start</h1>', '<link rel="stylesheet" href="/proj/site.css">'),
    '404.html': page('<h1>Not found</h1>', '<link rel="stylesheet" href="/proj/site.css">'),
    'site.css': 'body { color: #234 }',
  },
  'rules with statuses, names and conditions': {
    'index.html': page(
      '<h1>Home</h1><a href="/old">Old</a><a href="/sp%20ace">Space</a><a href="/news/2024/hello">News</a>',
    ),
    'new.html': page('<h1>New</h1>'),
    'app/index.html': page('<h1>App</h1>'),
    'fr/index.html': page('<h1>Bonjour</h1>'),
    'fr/404.html': page('<h1>Introuvable</h1>'),
    'de/index.html': page('<h1>Hallo</h1>'),
    'post/7.html': page('<h1>Seven</h1>'),
    'blog/2024/hello.html': page('<h1>Hello</h1>'),
    'guide/a/b.html': page('<h1>B</h1>'),
    'docs/kept.html': page('<h1>Kept</h1>'),
    '404.html': page('<h1>Not found</h1>'),
    _redirects: [
      '# moved in spring',
      '/old            /new            301',
      '/news/:year/:slug  /blog/:year/:slug',
      '/docs/*         /guide/:splat   301!',
      '/app/*          /app/index.html 200',
      '/fr/*           /fr/404.html    404',
      '/go id=:id      /post/:id       301',
      '/lost/*         /fr/:splat      404!',
      '/gone           /404.html       410',
      '/lang           /de/            302  Language=de',
      '/lang           /new            302',
      '/moved   /new # trailing comment',
      '/sp%20ace  /new',
      '/tab\t/de/\t303',
      '/api/*  https://api.example.net/:splat  200',
      'https://blog.example.net/* /blog/:splat',
    ].join('\n'),
  },
  'a 404 page for each language': {
    'index.html': page('<h1>Home</h1><a href="de/">Deutsch</a>'),
    'de/index.html': page('<h1>Hallo</h1>'),
    'de/404.html': page('<h1>Nicht gefunden</h1>'),
    '404.html': page('<h1>Not found</h1>'),
  },
  'rules that never arrive': {
    'index.html': page('<h1>Home</h1><a href="/newfoo">New</a>'),
    '404.html': page('<h1>Not found</h1>'),
    _redirects: '/old /nowhere 301\n/round1 /round2\n/round2 /round1\n/new* /index.html\n/x/* /none/:splat 200\n',
  },
  'old endings and capital letters': {
    'index.htm': page(
      '<h1>Home</h1><a href="guide/">Guide</a><a href="guide/start.htm">Start</a><a href="API/">API</a>',
    ),
    'guide/index.htm': page('<h1>Guide</h1>'),
    'guide/start.htm': page('<h1>Start</h1>'),
    'API/Index.HTML': page('<h1>API</h1>'),
    'ch1.xhtml': page('<h1>Chapter</h1>'),
    '404.htm': page('<h1>Not found</h1>'),
  },
  'names as macOS writes them': {
    'index.html': page(
      '<h1>Home</h1><a href="über-uns.html">1</a><a href="/über-uns">2</a><a href="/%C3%BCber-uns">3</a><img alt="" src="bild-ü.png">',
    ),
    ['über-uns.html'.normalize('NFD')]: page('<h1>About</h1>'),
    ['bild-ü.png'.normalize('NFD')]: 'png',
    '404.html': page('<h1>Not found</h1>'),
  },
  'names as a crawler writes them': {
    'index.html': page(
      '<h1>Home</h1><a href="view.php?id=3">3</a><a href="view.php?id=4">4</a>',
      '<link rel="stylesheet" href="style.css?v=2">',
    ),
    'style.css?v=2': 'body { color: #234 }',
    'view.php?id=3': page('<h1>Three</h1>'),
    'view.php?id=4.html': page('<h1>Four</h1>'),
    'guide/start': page('<h1>Start</h1>'),
    '404.html': page('<h1>Not found</h1>'),
  },
  'rules of Vercel': {
    'index.html': page('<h1>Home</h1>'),
    'guide/index.html': page('<h1>Guide</h1>'),
    'guide/start.html': page('<h1>Start</h1>'),
    'blog/42.html': page('<h1>42</h1>'),
    'taken.html': page('<h1>Taken</h1>'),
    'app/index.html': page('<h1>App</h1>'),
    '404.html': page('<h1>Not found</h1>'),
    'vercel.json': JSON.stringify({
      redirects: [
        { source: '/docs/:path*', destination: '/guide/:path*' },
        { source: '/post/:id(\\d+)', destination: '/blog/:id', permanent: false },
        { source: '/p-(\\d+)', destination: '/blog/$1' },
        { source: '/n/(\\d+)', destination: '/blog/$1', statusCode: 301 },
        { source: '/v1/(.*)', destination: 'https://v1.example.net/$1' },
        { source: '/taken', destination: '/guide/start' },
        { source: '/slow/:x((a+)+)', destination: '/' },
        { source: '/here', destination: '/', has: [{ type: 'host', value: 'a.example.net' }] },
      ],
      rewrites: [{ source: '/app/:any*', destination: '/app' }],
      headers: [{ source: '/(.*)', headers: [{ key: 'Access-Control-Allow-Origin', value: '*' }] }],
    }),
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>

/** Files with the types that Docket gives them. A page is one by its bytes, even without an ending. */
export const toFiles = (site: Readonly<Record<string, string>>): BundleFile[] =>
  Object.entries(site).map(([path, content]) => {
    const kind = createFileKind(path)
    kind.add(Buffer.from(content))
    return { path, sizeBytes: Buffer.byteLength(content), sha256: '', ...kind.end() }
  })

export const locateIn = (site: Readonly<Record<string, string>>, mount = '/') =>
  createSiteLocator({
    root: '',
    mount,
    files: toFiles(site),
    rules: parseBundleRules(
      {
        redirects: site['_redirects'] ?? null,
        vercel: site['vercel.json'] ?? null,
        headers: site['_headers'] ?? null,
      },
      mount,
    ),
  })

/** Such as `404 de/404.html` or `301 /new`. */
export const describeLocated = (located: Located): string =>
  `${located.status} ${{ file: () => (located.kind === 'file' ? located.path : ''), redirect: () => (located.kind === 'redirect' ? located.to : ''), not_found: () => 'nothing' }[located.kind]()}`
