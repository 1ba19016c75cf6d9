type Files = Readonly<Record<string, string>>

const page = (title: string, body = '') =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body}</html>`

const redirects = [
  '/old /guide/',
  '/older/ /guide/start#first 301',
  '/with%20space /a%20b/%C3%BC',
  '/ümlaut /guide/',
  '/asked /guide/?from=old',
  '/asked-deep /guide/?from=old#part',
  '/v1/* /guide/:splat',
  '/v1/never /old',
  '/all/* /',
  '/search/* /guide/?q=:splat',
  '/away https://elsewhere.example/docs?x=1',
  '/away/* https://elsewhere.example/docs/:splat',
  '/guide/start /never',
  '/evil //evil.example/',
  '/evil/* /:splat',
  '/quote"s;}{$uri/* /guide/',
  '/quote"s;}{$uri /guide/`$(id)`\'"',
  '/percent%25 /guide/100%25',
  '/a+b&c=d@e /guide/',
  '/:name /guide/',
  '/* /index.html 200',
].join('\n')

const hostileTexts = [
  'a";} server { listen 81; } #',
  "a'\n  return 200 'owned';\n",
  'a`} respond "owned" 200 #',
  '{$HOME}{env.HOME}{system.hostname}{http.request.header.Cookie}',
  '${HOME}$host$(id)`id`%{ENV:HOME}%1$1\\1',
  'a"> </VirtualHost>\r\nSetHandler x',
  '\u202Eevil\u2028\u0000\uD800😀',
  '\\evil.example/\\',
  '.*(a+)+$[z-a]{9,1}^|?',
  '%0d%0aSet-Cookie:%20a=b',
  '__proto__',
  'x'.repeat(2_000),
  '🦆'.repeat(220),
]

/** Sources and destinations that try to end a string, a line or a block, or to name another host. */
const vercel = JSON.stringify({
  redirects: hostileTexts.flatMap((text, place) => [
    { source: `/${text}`, destination: '/guide/' },
    { source: `/${text}/*`, destination: `/guide/${text}/:splat` },
    { source: `/to-${place}`, destination: `/guide/${text}` },
    { source: `/to-host-${place}`, destination: `https://elsewhere.example/${text}` },
    { source: `/bare-${place}`, destination: text },
    { source: `/slashes-${place}`, destination: `//${text}` },
    { source: `/scheme-${place}`, destination: `javascript:${text}` },
    { source: `/host-${place}/*`, destination: `https://:splat${text}` },
  ]),
})

/** What a builder with folders writes, with names and redirects that no configuration may take literally. */
export const awkwardSite: Files = {
  'index.html': page('Home'),
  'guide/index.html': page('Guide'),
  'guide/start/index.html': page('Start'),
  'guide/both.html': page('Both, a page'),
  'guide/both/index.html': page('Both, a folder'),
  'guide/plain': 'no ending',
  'guide/plain.html': page('Hidden by a file'),
  'a b/ü.html': page('Ü'),
  'a b/[slug].html': page('Brackets'),
  "quotes/it's “here” & there;.html": page('Quotes'),
  'quotes/$uri${path}{path}.html': page('Dollar'),
  'quotes/100% sure#1+2.html': page('Percent'),
  'quotes/star*.html': page('Star'),
  'v1/file.html': page('Below a pattern'),
  'data/.hidden.json': '{}',
  'data/site.webmanifest': '{}',
  'data/notes.md': '# Notes\n',
  'data/run.php': '<?php echo 1;',
  'data/archive.tar.gz': 'not really',
  'data/page.shtml': '<!--#echo var="DATE_LOCAL" -->',
  'data/UPPER.CSS': 'a{}',
  'data/module.wasm': 'x',
  'data/LICENSE': 'free',
  'assets/app-BxJ3k2aQ.js': 'app()',
  'assets/style.3f2a9c1d.css': 'a{}',
  '404/index.html': page('Not here'),
  'export-report.json': '{"lines":[]}',
  '.gitignore': '*.draft',
  'guide/.gitattributes': '*.html text',
  '.git/config': '[core]',
  '.docket/delivery.json': '{}',
  'guide/.docket-draft.html': page('A draft'),
  'guide/export-report.json': '{}',
  _headers: '/*',
  _redirects: redirects,
  'vercel.json': vercel,
  'sitemap.xml': `<?xml version="1.0"?><urlset>${['/', '/guide/', '/guide/start/', '/a%20b/%C3%BC'].map((path) => `<url><loc>https://docs.example.com${path}</loc></url>`).join('')}</urlset>`,
}

/** A site in a folder of its archive that expects to be at an address of its own. */
export const mountedSite: Files = {
  'site/index.html': page(
    'Handbook',
    '<a href="/handbook/start.html">Start</a><link rel="stylesheet" href="/handbook/style.css">',
  ),
  'site/start.html': page('Start', '<a href="/handbook/part/">Part</a>'),
  'site/part/index.html': page('Part', '<a href="/handbook/part/two.html">Two</a>'),
  'site/part/two.html': page('Two', '<a href="/handbook/start.html">Start</a>'),
  'site/style.css': 'h1 { color: red }',
  'site/404.html': page('Not here'),
  'site/export-report.json': '{"lines":[]}',
  'site/part/.gitignore': '*.draft',
  'site/_redirects': '/old /start\n/handbook/older /handbook/part/\n/moved/* /part/:splat\n',
  'README.md': 'Beside the site.\n',
}
