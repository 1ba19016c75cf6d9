import { packTar } from 'modern-tar'
import { gzipSync } from 'node:zlib'

export type Tree = Readonly<Record<string, string | Buffer>>

/** A page whose links lead to `links`. */
const page = (title: string, links: readonly string[] = [], head = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body><h1>${title}</h1>${links
    .map((link) => `<a href="${link.replaceAll('&', '&amp;')}">${title}</a>`)
    .join('')}</body></html>`

const notFound = page('Not here')
const nfd = (text: string) => text.normalize('NFD')

/** Small sites, each with one thing in which two readers of a site may have different ideas of it. */
export const trees: Readonly<Record<string, Tree>> = {
  'a site built for a path, at the root of its archive': {
    'index.html': page(
      'Home',
      ['/manual/tour/', '/manual/tour/first.html', '/manual/'],
      '<link rel="stylesheet" href="/manual/look.css">',
    ),
    'tour/index.html': page('Tour', ['/manual/tour/first.html', '/manual/tour/first']),
    'tour/first.html': page('First', ['/manual/']),
    'look.css': 'h1 { color: green }',
    '404.html': notFound,
    _redirects: '/was /tour/\n/manual/before /manual/tour/first 301\n/gone/* /manual/tour/:splat\n',
  },
  'a site built for a path of two folders, in a folder of its archive': {
    'out/index.html': page('Home', ['/team/manual/a.html', '/team/manual/b/', '/team/', '/elsewhere']),
    'out/a.html': page('A', ['/team/manual/b/', '/team/manual/']),
    'out/b/index.html': page('B', ['/team/manual/a.html', '../a.html', '../../x']),
    'out/404.html': notFound,
  },
  'a site built for a path, whose forced rules hide pages': {
    'index.html': page('Home', ['/manual/tour/', '/manual/first', '/manual/']),
    'tour/index.html': page('Tour', ['/manual/first']),
    'first.html': page('First', ['/manual/']),
    'second.html': page('Second', ['/manual/']),
    '404.html': notFound,
    _redirects: '/tour /first 404!\n/index / 410!\n/first /second 301!\n',
  },
  'a rule that names the page of a missing address by the address': {
    'index.html': page('Home', ['old/', 'old/x', 'guide']),
    'guide.html': page('Guide'),
    '404.html': notFound,
    _redirects: '/:name/* /guide/:splat 404!\n/v1/* /guide/:splat 410\n',
  },
  'index pages that end with .htm': {
    'index.htm': page('Home', ['tour/', 'tour/start.htm', 'tour/start', 'tour']),
    'tour/index.htm': page('Tour'),
    'tour/start.htm': page('Start', ['./', '../', 'gone.htm']),
    '404.htm': notFound,
  },
  'index pages and endings in upper case': {
    'Index.html': page('Home', ['Tour/', 'Tour/Start.HTML', 'Tour/start.html', 'tour/']),
    'Tour/INDEX.HTML': page('Tour', ['../', 'Start']),
    'Tour/Start.HTML': page('Start'),
    'Tour/Old.HTM': page('Old'),
    'LOOK.CSS': 'a {}',
    '404.html': notFound,
  },
  'chapters in XHTML': {
    'index.html': page('Home', ['one.xhtml', 'one', 'two/', 'two/index.xhtml', 'gone.xhtml']),
    'one.xhtml':
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>One</title><script src="a.js"/></head><body><a href="gone.xhtml">x</a></body></html>',
    'two/index.xhtml':
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Two</title></head><body><p id="x"/></body></html>',
    'a.js': '1',
  },
  'several pages that could be the index': {
    'index.html': page('Home', ['a', 'a/', 'a.html', 'b', 'b/', 'c', 'c/', 'c.htm', 'd', 'd/']),
    'a.html': page('A, a page'),
    'a/index.html': page('A, a folder'),
    'b/index.html': page('B'),
    'b/index.htm': page('B, again'),
    'c.htm': page('C'),
    'c.html': page('C, again'),
    'd.xhtml':
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>D</title></head><body/></html>',
    'd/x.html': page('X'),
    '404/index.html': notFound,
  },
  'names in NFD, as a Mac writes them, and links in NFC': {
    'index.html': page('Home', ['über-uns.html', '/über-uns/', 'größe', 'bilder/ä.png', '%C3%BCber-uns']),
    [nfd('über-uns.html')]: page('Us'),
    [nfd('über-uns/index.html')]: page('Us, a folder'),
    [nfd('größe.html')]: page('Size'),
    [nfd('bilder/ä.png')]: 'PNG',
    '404.html': notFound,
  },
  'names in NFC, and links in NFD': {
    'index.html': page('Home', [nfd('café.html'), nfd('/menü/'), nfd('menü'), encodeURI(nfd('/menü/ñ.html'))]),
    'café.html': page('Café'),
    'menü/index.html': page('Menu'),
    'menü/ñ.html': page('Ñ'),
  },
  'pages without an ending': {
    'index.html': page('Home', ['tour/begin', 'tour/more', 'tour/begin/', 'LICENSE', 'tour/gone']),
    'tour/begin': page('Begin', ['more', 'missing']),
    'tour/more': `\ufeff  <HTML><head><title>More</title></head><body><a href="begin">.</a></body></HTML>`,
    LICENSE: 'Free for everybody.',
    'data/raw': Buffer.from([0, 1, 2, 3]),
    '404.html': notFound,
  },
  'names of a crawler, with their queries': {
    'index.html': page(
      'Home',
      ['show.php%3Fid=3', 'show.php?id=3', 'show.php%3Fid=4.html', 'show.php', 'show.php%3Fid=5'],
      '<link rel="stylesheet" href="look.css%3Fv=2">',
    ),
    'show.php?id=3': page('Three', ['gone.html']),
    'show.php?id=4.html': page('Four'),
    'look.css?v=2': 'a { color: red }',
    'index.html?lang=de': page('Deutsch'),
    '404.html': notFound,
  },
  'rules of Netlify': {
    'index.html': page('Home', [
      '/was',
      '/news/2024/hello',
      '/docs/a/b',
      '/shop/basket',
      '/fr/zzz',
      '/open?id=7',
      '/ended',
      '/news/2020/x',
      '/tongue',
      '/api/v1/x',
      '/Was2',
      '/two%20words',
      '/two words',
    ]),
    'fresh.html': page('Fresh'),
    'de/index.html': page('Deutsch'),
    'fr/index.html': page('Français'),
    'fr/404.html': page('Pas ici'),
    'shop/index.html': page('Shop'),
    'tour/a/b.html': page('B'),
    'blog/2024/hello.html': page('Hello'),
    'post/7.html': page('Seven'),
    '404.html': notFound,
    _redirects: [
      '# Moved pages',
      '/was            /fresh          301',
      '/news/:year/:slug  /blog/:year/:slug',
      '/docs/*         /tour/:splat    301!',
      '/shop/*         /shop/index.html 200',
      '/fr/*           /fr/404.html    404',
      '/open id=:id    /post/:id       301',
      '/ended          /404.html       410',
      '/tongue         /de/            302  Language=de',
      '/tongue         /fresh          302',
      '/Was2   /fresh # with a remark',
      '/two%20words  /fresh',
      '/german\t/de/\t302',
      '/forced /fresh 301!',
      '/temporary /fresh 307',
      '/for-good /fresh 308',
      '/see /fresh 303',
      '/api/*  https://api.example.net/:splat  200',
      '/away https://elsewhere.example/ 301',
      '/fresh /never 301',
      '/de/index.html /fresh 301!',
    ].join('\n'),
    _headers: '/*\n  X-Frame-Options: DENY\n',
  },
  'an app with one page, and rules that force': {
    'index.html': page('App', ['/settings', '/settings/mail', '/assets/app.js', '/about']),
    'assets/app.js': 'start()',
    'about.html': page('About'),
    'new-about.html': page('New about'),
    _redirects: '/about /new-about 302!\n/assets/* /assets/app.js 200\n/* /index.html 200\n',
  },
  'an app at a path, with a page for every address': {
    'index.html': page('App', ['/app/settings', '/app/app.js'], '<link rel="stylesheet" href="/app/look.css">'),
    'look.css': 'a {}',
    'app.js': 'start()',
    '404.html': notFound,
    _redirects: '/app/* /app/index.html 200\n/* /index.html 200\n',
  },
  'a site that moved to another host': {
    'index.html': page('Home', ['/kept', '/gone', '/a/b/c']),
    'kept.html': page('Kept'),
    _redirects: '/* https://elsewhere.example/docs/:splat 301\n',
  },
  'a rule for everything that says 404': {
    'index.html': page('Home', ['/x', '/de/x', '/de/']),
    'de/index.html': page('Deutsch'),
    'de/none.html': page('Nicht hier'),
    'none.html': notFound,
    _redirects: '/de/* /de/none.html 404\n/* /none.html 404\n',
  },
  'rules of Vercel': {
    'index.html': page('Home', ['/was', '/p/1/x', '/number/12', '/number/abc', '/deep/a/b/c', '/if', '/app/x/y']),
    'fresh.html': page('Fresh'),
    'tour/a/b/c.html': page('Deep'),
    'app.html': page('App'),
    '404.html': notFound,
    'vercel.json': JSON.stringify({
      redirects: [
        { source: '/was', destination: '/fresh', permanent: true },
        { source: '/then', destination: '/fresh', permanent: false },
        { source: '/p/:id/:name', destination: '/fresh?id=:id&name=:name', statusCode: 301 },
        { source: '/number/:id(\\d+)', destination: '/fresh' },
        { source: '/deep/:path*', destination: '/tour/:path*' },
        { source: '/if', has: [{ type: 'header', key: 'x-beta' }], destination: '/never' },
        { source: '/if', destination: '/fresh' },
      ],
      rewrites: [{ source: '/app/(.*)', destination: '/app.html' }],
      cleanUrls: true,
    }),
  },
  'rules of Cloudflare Pages': {
    'index.html': page('Home', ['/a/b/c', '/x/y', '/trailing', '/trailing/', '/q']),
    'b/c.html': page('C'),
    'fresh.html': page('Fresh'),
    '404.html': notFound,
    _redirects: '/a/* /b/:splat 301\n/x/:name /fresh?name=:name 302\n/trailing /fresh\n/q /fresh?from=q#part 301\n',
  },
  'a page for unknown addresses in each language': {
    'index.html': page('Home', ['/de/zzz', '/de/tief/zzz', '/zzz', '/fr/zzz']),
    '404.html': notFound,
    'de/index.html': page('Deutsch'),
    'de/404.html': page('Nicht hier'),
    'de/tief/seite.html': page('Tief'),
    'fr/index.html': page('Français'),
    'fr/404/index.html': page('Pas ici'),
  },
  'rules that lead nowhere, or to each other': {
    'index.html': page('Home', ['/lost', '/one', '/two', '/newcomer', '/chain']),
    '404.html': notFound,
    _redirects:
      '/lost /nowhere 301\n/one /two\n/two /one\n/new* /index.html\n/was.html /nowhere2\n/chain /hop\n/hop /\n',
  },
  'endings of all kinds': {
    'index.html': page('Home'),
    ...Object.fromEntries(
      'rss atom vtt xsl m4a mov ogg flac svgz tgz tar 7z jsonc geojson cjs mjs wasm webmanifest avif woff2 php py toml yaml md map csv pdf'
        .split(' ')
        .map((ending) => [`files/a.${ending}`, `a ${ending}`]),
    ),
    '.well-known/security.txt': 'Contact: mailto:security@example.com',
    '.well-known/apple-app-site-association': '{"applinks":{}}',
    'files/.hidden': 'x',
  },
  'names with a hash, and names that only look like one': {
    'index.html': page('Home', ['app.3f9c1a7b.js', 'assets/index-BxY3kQ9a.js', 'getting-started-step1.png']),
    'app.3f9c1a7b.js': '1',
    'assets/index-BxY3kQ9a.js': '1',
    'assets/style-4f2b9c1d.css': 'a {}',
    'getting-started-step1.png': 'PNG',
    'report-20240101.pdf': 'PDF',
    'sdk-windows-x64.zip': 'PK',
    '404.html': notFound,
  },
  'folders whose names begin with an underscore or a dot': {
    'index.html': page('Home', ['_docket/site.css', '_next/a.js', '.well-known/x', '.github/']),
    '_docket/site.css': 'a {}',
    '_next/a.js': '1',
    '.well-known/x': 'x',
    '.github/index.html': page('Community'),
    '.nojekyll': '',
    CNAME: 'docs.example.com',
    '.gitignore': '*.draft',
    'export-report.json': '{"lines":[]}',
    'sub/_redirects': '/a /b',
    'sub/export-report.json': '{}',
  },
  'names with characters that addresses and configurations use': {
    'index.html': page('Home', ['what%3F.html', 'a%23b.html', '100%25.html', 'two%20words.html', 'C%3Adrive.html']),
    'what?.html': page('What'),
    'a#b.html': page('A'),
    '100%.html': page('Hundred'),
    'two words.html': page('Two words'),
    'con.html': page('Con'),
    'a+b&c=d;e.html': page('Plus'),
    "it's $uri {path} (1) [slug].html": page('It'),
    '~tilde/!bang/@at.html': page('At'),
    '%41.html': page('Percent'),
    'trailing.dot./x.html': page('Dot'),
    ' space/ x .html': page('Space'),
    'a..b/..c.html': page('Dots'),
    '{curly}/$1.html': page('Curly'),
    '日本語/はじめに.html': page('日本語'),
    '🦆/index.html': page('Duck'),
    '404.html': notFound,
  },
  'a site without an index and without a page for unknown addresses': {
    'start.html': page('Start', ['./', 'more/', 'more/a']),
    'more/a.html': page('A'),
    'more/deep/b.html': page('B'),
  },
}

/** Packs a tree as `tar.gz`. */
export const packTree = async (tree: Tree): Promise<Buffer> =>
  gzipSync(
    await packTar(
      Object.entries(tree).map(([name, content]) => ({
        header: { name, type: 'file' as const, size: Buffer.byteLength(content), mtime: new Date(0) },
        body: content,
      })),
    ),
  )
