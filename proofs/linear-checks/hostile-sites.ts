/** Files of a site by their path. */
export type Files = Readonly<Record<string, string>>

const page = (body: string, head = '') =>
  `<!doctype html><html lang=en><head><title>t</title>${head}</head><body><main>${body}</main></body></html>`
const repeat = (n: number, write: (at: number) => string) => Array.from({ length: n }, (_, at) => write(at)).join('')
const sheet = '<link rel=stylesheet href=a.css>'
const many = (n: number, write: (at: number) => [string, string]): Files =>
  Object.fromEntries(Array.from({ length: n }, (_, at) => write(at)))
const refresh = (content: string) => `<meta http-equiv=refresh content="${content}">`

/** Sites with `n` of something, each of which a check could compare with all others. */
export const hostileSites: Readonly<Record<string, (n: number) => Files>> = {
  'imports of one sheet': (n) => ({ 'index.html': page('', sheet), 'a.css': '@import "a.css";'.repeat(n) }),
  'images in one declaration': (n) => ({ 'index.html': page('', sheet), 'a.css': `a{b:${'url(x.png),'.repeat(n)}` }),
  'missing images of one sheet': (n) => ({
    'index.html': page('', sheet),
    'a.css': repeat(n, (at) => `a{b:url(x${at}.png)}\n`),
  }),
  'fonts of one sheet': (n) => ({
    'index.html': page('', sheet),
    'a.css': repeat(n, (at) => `@font-face{src:url(m${at}.woff2)}\n`),
  }),
  'imports of one style element': (n) => ({ 'index.html': page('', `<style>${'@import "a.css" '.repeat(n)}</style>`) }),
  'style attributes': (n) => ({ 'index.html': page(repeat(n, (at) => `<p style="b:url(m${at}.png)">`)) }),
  'missing pages': (n) => ({ 'index.html': page(repeat(n, (at) => `<a href="m${at}">a</a>`)) }),
  'missing pages in entities': (n) => ({ 'index.html': page(repeat(n, (at) => `<a href="&#109;${at}">a</a>\n`)) }),
  'missing fragments': (n) => ({ 'index.html': page(`<h1>a</h1>${repeat(n, (at) => `<a href="#m-${at}-x">a</a>`)}`) }),
  'one long fragment': (n) => ({ 'index.html': page(`<h1>a</h1><a href="#${'a-'.repeat(n)}">a</a>`) }),
  'fragments of pages with one script': (n) => ({
    ...many(n / 50, (at) => [`p${at}.html`, page(`<h1>a</h1><a href="#m-${at}x">`, '<script src=a.js></script>')]),
    'a.js': 'var a = "b";\n'.repeat(n),
  }),
  ids: (n) => ({ 'index.html': page(repeat(n, (at) => `<p id="m${at}">`)) }),
  'candidates of a srcset': (n) => ({
    'index.html': page(`<img srcset="${repeat(n, (at) => `m${at}.png ${at}w, `)}">`),
  }),
  'open parentheses in a srcset': (n) => ({ 'index.html': page(`<img srcset="${'a (b '.repeat(n)}">`) }),
  'commas in a srcset': (n) => ({ 'index.html': page(`<img srcset="a${','.repeat(n)}b">`) }),
  'redirects beside links': (n) => ({
    'index.html': page(repeat(n, (at) => `<a href="/m${at}">a</a>`)),
    _redirects: repeat(n, (at) => `/r${at}/* /x 301\n`),
  }),
  'pages that redirect to the next': (n) => many(n / 10, (at) => [`p${at}.html`, refresh(`0;url=p${at + 1}.html`)]),
  'pages that redirect in a ring': (n) =>
    many(n / 10, (at) => [`p${at}.html`, refresh(`0;url=p${(at + 1) % (n / 10)}.html`)]),
  'digits of a refresh': (n) => ({ 'index.html': page('', refresh(`${'1'.repeat(n)}x`)) }),
  'nested divs': (n) => ({ 'index.html': page('<div>'.repeat(n)) }),
  'nested headings': (n) => ({ 'index.html': page('<h1><div>'.repeat(n) + 'a</div></h1>b'.repeat(n)) }),
  'nested links of a drawing': (n) => ({ 'index.html': page(`<svg>${'<a href="#x">'.repeat(n)}text`) }),
  'a long base': (n) => ({
    'index.html': page(
      repeat(n / 10, (at) => `<a href="m${at}">a</a>`),
      `<base href="/${'a'.repeat(n)}/">`,
    ),
  }),
  'links of a navigation': (n) => ({ 'index.html': `<nav>${repeat(n, (at) => `<a href="m${at}">a</a>`)}</nav>` }),
  'footers of one page': (n) => ({ 'index.html': page('') + '<footer>a</footer>'.repeat(n) }),
  'spaces in a script': (n) => ({ 'index.html': page(''), 'a.js': `fetch${' '.repeat(n)}x` }),
  'entries of a site map': (n) => ({
    'index.html': page(''),
    'sitemap.xml': `<urlset>${repeat(n, (at) => `<url><loc>https://a.b/m${at}</loc></url>`)}</urlset>`,
  }),
  'entries of a search index': (n) => ({
    'index.html': page(''),
    'search.json': JSON.stringify(Array.from({ length: n }, (_, at) => ({ url: at % 2 ? `/m${at}` : '/' }))),
  }),
  'sheets that import the next': (n) => ({
    'index.html': page('', '<link rel=stylesheet href=c0.css>'),
    ...many(n / 10, (at) => [`c${at}.css`, `@import "c${at + 1}.css"; a{b:url(m${at}.png)}`]),
  }),
  'pages with one faulty sheet': (n) => ({
    ...many(n / 20, (at) => [`p${at}.html`, page('', sheet)]),
    'a.css': repeat(n / 20, (at) => `a{b:url(m${at}.png)}`),
  }),
  files: (n) => ({ 'index.html': page(''), ...many(n, (at) => [`f${at}.txt`, 'a']) }),
}
