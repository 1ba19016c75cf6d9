import { page, planted, type Defect } from './planted-defects.ts'

const broken = (name: string, body: string, finds: string, twin: string): Defect => ({
  name,
  files: planted(page(body)),
  finds,
  twin: planted(page(twin)),
})

/** Every way a link breaks, and every way a page stays blank. */
export const breaks: readonly Defect[] = [
  broken(
    'page',
    '<a href="/gone/">.</a>',
    'missing-page /gone/',
    '<a href="/guide/">.</a><a href="/guide">.</a><a href="../api">.</a>',
  ),
  broken(
    'html page',
    '<a href="gone.html">.</a>',
    'missing-page /planted/gone.html',
    '<a href="../api.html?a=1#start">.</a>',
  ),
  broken('case', '<a href="/Guide/">.</a>', 'missing-page /Guide/', '<a href="/guide/index.html">.</a>'),
  broken(
    'encoding',
    '<a href="/a%20b/u">.</a>',
    'missing-page /a b/u',
    '<a href="/a%20b/%c3%bc">.</a><a href="/a b/ü.html">.</a>',
  ),
  broken(
    'fragment',
    '<a href="/guide/#gone">.</a>',
    'missing-fragment /guide/#gone',
    '<a href="/guide/#set-up">.</a><a href="/guide/#old-name">.</a><a href="/guide/#top">.</a><a href="/guide/#:~:text=Set">.</a><a href="#">.</a>',
  ),
  broken(
    'own fragment',
    '<a href="#gone">.</a>',
    'missing-fragment /planted/#gone',
    '<a href="#start">.</a><a href="#%73tart">.</a><a href="#tab=npm">.</a>',
  ),
  broken('file', '<a href="/gone.pdf">.</a>', 'missing-file /gone.pdf', '<a href="/file.svg" download>.</a>'),
  broken(
    'folder without an index',
    '<a href="/a%20b/">.</a>',
    'missing-page /a b/',
    '<a href="mailto:a@b.example">.</a><a href="tel:1">.</a><a href="data:,a">.</a>',
  ),
  broken(
    'invalid address',
    '<a href="https://">.</a>',
    'invalid-address https://',
    '<a href="https://a.example">.</a>',
  ),
  broken(
    'image',
    '<img alt="" src="gone.png">',
    'missing-file /planted/gone.png',
    '<img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><template><img src="gone.png"></template><!-- <img src="gone.png"> --><noscript><img src="gone.png"></noscript>',
  ),
  broken(
    'candidate',
    '<img alt="" src="/file.svg" srcset="/file.svg 1x, /gone.png 2x">',
    'missing-file /gone.png',
    '<pre><code>&lt;img src="gone.png"&gt;</code></pre>',
  ),
  broken('frame', '<iframe src="/gone/"></iframe>', 'missing-page /gone/', '<iframe src="about:blank"></iframe>'),
  broken('script', '<script src="/gone.js"></script>', 'missing-file /gone.js', '<script src="/main.js?v=2"></script>'),
  broken(
    'stylesheet file',
    '<link rel="stylesheet" href="/gone.css">',
    'missing-file /gone.css',
    '<link rel="stylesheet" href="/main.css#a">',
  ),
  broken(
    'module',
    '<script type="module">import "./gone.js"</script>',
    'missing-file /planted/gone.js',
    '<script type="module">import "../module.js"</script>',
  ),
  broken(
    'fonts',
    '<style>@font-face { src: url(/gone.woff2), url(/gone.woff) }</style>',
    'missing-file /gone.woff2',
    '<style>@font-face { src: url(/gone.eot); src: url(/gone.eot?#iefix), url(/font.woff2), url(/gone.ttf) }</style>',
  ),
  broken(
    'refresh to nothing',
    '<meta http-equiv="refresh" content="0;url=/gone">',
    'missing-page /gone',
    '<meta http-equiv="refresh" content="300">',
  ),
  {
    name: 'redirect loop',
    files: {
      ...planted(page('', '<meta http-equiv="refresh" content="0;url=/loop.html">')),
      'loop.html': page('', '<meta http-equiv="refresh" content="0;url=/planted/">'),
    },
    finds: 'redirect-loop /loop',
    twin: { ...planted(page('', '<meta http-equiv="refresh" content="0;url=/loop.html">')), 'loop.html': page('') },
  },
  {
    name: 'redirect file',
    files: { ...planted(page('<a href="/old/one">.</a>')), _redirects: '/other/* /guide/:splat 301\n' },
    finds: 'missing-page /old/one',
    twin: {
      ...planted(page('<a href="/old/one">.</a><a href="/plain/">.</a>')),
      _redirects: '/old/* /guide/:splat 301\n/plain /guide/\n',
    },
  },
  {
    name: 'search index',
    files: {
      ...planted(page('')),
      'search/search_index.json': '{"docs":[{"location":"guide/"},{"location":"api.html#x"},{"location":"gone/"}]}',
    },
    finds: 'missing-result /gone/',
    twin: {
      ...planted(page('')),
      'search/search_index.json': '{"docs":[{"location":"guide/#x"},{"location":"api.html"}]}',
    },
  },
  {
    name: 'blocking stylesheet',
    files: planted(page('', '<link rel="stylesheet" href="https://blocking.example/a.css">')),
    finds: 'blocked-page https://blocking.example/a.css',
    twin: planted(page('', '<link rel="stylesheet" href="/main.css">')),
  },
  {
    name: 'blocking script',
    files: planted(page('', '<script src="https://blocking.example/a.js"></script>')),
    finds: 'blocked-page https://blocking.example/a.js',
    twin: planted(page('', '<script src="/main.js"></script>')),
  },
]
