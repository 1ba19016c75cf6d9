import { expect, test } from 'vitest'
import type { PortableSearch } from './built-site.ts'
import { makeBundle } from './testing/portable.ts'

const page = (body: string, head = '') => `<!doctype html>
<html lang="en"><head><title>Page</title>${head}</head>
<body><main><h1>Page</h1>${body}</main></body></html>`

const findings = async ({ check }: Awaited<ReturnType<typeof makeBundle>>) =>
  (await check()).report.findings
    .filter(({ level }) => level !== 'notes')
    .map(({ rule, target }) => `${rule} ${target}`)

test('addresses lead to the files that hold them, wherever the bundle is', async () => {
  const bundle = await makeBundle({
    'index.html': page(
      '<a href="/docs/guide/start?x=1#top">start</a> <a href="guide/">guide</a> <a href=/docs/old>old</a> <a href="https://docs.example.com/docs/guide/start">public</a> <a href="#here" id="here">here</a><select><option value="/docs/guide/">Guide</option></select>',
      '<link rel="canonical" href="https://docs.example.com/docs/"><link rel="stylesheet" href="/docs/a.css" integrity="sha256-x" crossorigin>',
    ),
    'guide/index.html': page(
      '<img src="/docs/i.png" srcset="/docs/i.png 1x, ../i.png 2x" alt=""><p style="background:url(/docs/i.png)">x</p>',
    ),
    'guide/start.html': page(
      '<a href="/docs/">home</a>',
      '<meta http-equiv="refresh" content="30; url=/docs/guide/"><style>p{background:url(/docs/i.png)}</style>',
    ),
    'moved.html': '<!doctype html><title>Moved</title><meta http-equiv="refresh" content="0; url=/docs/guide/start">',
    _redirects: '/docs/old /docs/moved 301\n',
    'a.css': '@import "/docs/b.css";p{background:url(/docs/i.png)}',
    'b.css': 'p{color:red}',
    'i.png': 'x',
  })
  expect(bundle.read('index.html')).toContain(
    '<a href="guide/start.html?x=1#top">start</a> <a href="guide/index.html">guide</a> <a href="guide/start.html">old</a> <a href="guide/start.html">public</a> <a href="#here" id="here">here</a><select><option value="guide/index.html">',
  )
  expect(bundle.read('index.html')).toContain(
    '<link rel="canonical" href="https://docs.example.com/docs/"><link rel="stylesheet" href="a.css">',
  )
  expect(bundle.read('guide/index.html')).toContain(
    '<img src="../i.png" srcset="../i.png 1x, ../i.png 2x" alt=""><p style="background:url(&quot;../i.png&quot;)">',
  )
  expect(bundle.read('guide/start.html')).toContain(
    'content="30; url=index.html"><style>p{background:url("../i.png")}</style>',
  )
  expect(bundle.read('a.css')).toBe('@import "b.css";p{background:url("i.png")}')
  expect(await findings(bundle)).toEqual([])
})

test('nothing is asked of another host, and the report counts what was cut', async () => {
  const bundle = await makeBundle({
    'index.html': page(
      '<img src="//img.example.org/a.png" alt="A"><iframe src="https://video.example.org/v" title="Film"></iframe><a href="https://else.example.org/" ping="https://count.example.org/">else</a><form action="https://form.example.org/"><button>Send</button></form><script>fetch("https://api.example.org/x")</script>',
      '<link rel="preconnect" href="https://fonts.example.org"><link rel="stylesheet" href="https://fonts.example.org/a.css"><script async src="https://count.example.org/c.js"></script>',
    ),
    'a.css': '@font-face{font-family:a;src:url(https://fonts.example.org/a.woff2)}',
  })
  const html = bundle.read('index.html')!
  expect(html).toContain(
    '<img alt="A"><a href="https://video.example.org/v" rel="noopener">Film</a><a href="https://else.example.org/">else</a>',
  )
  expect(html).not.toMatch(/fonts\.example|count\.example|api\.example/)
  expect(bundle.report.otherHosts).toEqual({
    'fonts.example.org': 3,
    'count.example.org': 2,
    'api.example.org': 1,
    'form.example.org': 1,
    'img.example.org': 1,
    'video.example.org': 1,
  })
  expect(await findings(bundle)).toEqual([])
})

test('documents to which no policy applies ask no other host', async () => {
  const outside = 'https://else.example.org'
  const bundle = await makeBundle({
    'index.html': page(
      '<iframe src="a.svg"></iframe><a href="b.xhtml">b</a>',
      `<script type="speculationrules">{"prefetch":[{"urls":["${outside}/s"]}]}</script><script>navigator.serviceWorker.register("sw.js")</script>`,
    ),
    'a.svg': `<?xml version="1.0"?><?xml-stylesheet href="${outside}/x.css"?><svg xmlns="http://www.w3.org/2000/svg" onload="fetch('${outside}/l')"><style>@import "${outside}/a.css";</style><image href="${outside}/i.png"><animate attributeName="href" values="${outside}/v"/></image><h:img xmlns:h="http://www.w3.org/1999/xhtml" src="${outside}/h.png"/><script><![CDATA[new Image().src = "${outside}/i" // x]]></script><path d="M0 0"/></svg>`,
    'own.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="start()"><script>start = () => 1</script></svg>',
    'b.xhtml': `<?xml version="1.0"?><!-- <head> --><html xmlns="http://www.w3.org/1999/xhtml"><head><title>B</title><script src="${outside}/b.js"/></head><body/></html>`,
  })
  expect(bundle.read('index.html')).not.toContain('speculation')
  expect(bundle.report.lines.map(({ what }) => what)).toContain(
    '1 × scripts that start workers, to which no policy of a page applies',
  )
  expect(bundle.read('a.svg')).toBe(
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><style>@import "data:,";</style><image><animate attributeName="href"/></image><h:img xmlns:h="http://www.w3.org/1999/xhtml"/><path d="M0 0"/></svg>',
  )
  expect(bundle.read('own.svg')).toContain('onload="start()"><script>start = () => 1</script>')
  expect(bundle.read('b.xhtml')).toMatch(
    /<html xmlns="[^"]*"><head xmlns="[^"]*"><meta charset="utf-8"\/><meta http-equiv="Content-Security-Policy"[^>]*\/><\/head><head>/,
  )
})

test('modules find each other wherever the bundle is, with and without an import map', async () => {
  const bundle = await makeBundle({
    'guide/index.html': page(
      '<a href="/docs/">home</a><svg><script href="/docs/m.js"></script></svg>',
      '<script type="importmap">{"imports":{"a":"/docs/guide/a.js","b/":"/docs/b/","c":"https://cdn.example.org/c.js"},"scopes":{"/docs/b/":{"a":"../m.js"}},"integrity":{"/docs/m.js":"x"}}</script><script type="module">import "/docs/guide/a.js"; import "a"</script>',
    ),
    'index.html': page('<a href="/docs/guide/">guide</a>', '<script type="module" src="/docs/m.js"></script>'),
    'guide/a.js': 'export const a = 1',
    'm.js': 'import "/docs/n.js"; import("/docs/guide/a.js")',
    'n.js': 'export const n = 1',
    'b/b.js': '',
  })
  expect(bundle.read('m.js')).toBe('import "./n.js"; import("./guide/a.js")')
  const html = bundle.read('guide/index.html')!
  expect(html).toContain('<script type="module">import "./a.js"; import "a"</script>')
  expect(html).toContain('<svg><script href="../m.js"></script></svg>')
  expect(JSON.parse(/<script type="importmap">(.*?)<\/script>/.exec(html)![1]!)).toEqual({
    imports: { a: './a.js', 'b/': '../b/', c: 'data:,' },
    scopes: { '../b/': { a: '../m.js' } },
  })
  expect(bundle.report.otherHosts).toEqual({ 'cdn.example.org': 1 })
  expect(bundle.report.lines.map(({ what }) => what)).toContain(
    '2 × module scripts, which browsers don’t run in a page from a disk',
  )
})

test('texts in another encoding are read as they were meant, beside pages that are in UTF-8 now', async () => {
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const bundle = await makeBundle({
    'index.html': latin(
      page('Größe<a href="/docs/a.xhtml">a</a><a href="/docs/">b</a>', '<meta charset="iso-8859-1">'),
    ),
    'a.js': latin('document.title = "Größe"'),
    'a.css': latin('@charset "iso-8859-2";p{content:"Gr\u00f6\u00b3"}'),
    'a.svg': latin(
      '<?xml version="1.0" encoding="iso-8859-1"?><svg xmlns="http://www.w3.org/2000/svg"><text>Größe</text></svg>',
    ),
    'a.xhtml': latin(
      '<?xml version="1.0" encoding="iso-8859-1"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Größe</title></head><body/></html>',
    ),
    'b.css': 'p{content:"ö"}',
  })
  expect(bundle.read('index.html')).toContain('Größe')
  expect(bundle.read('a.js')).toBe('\uFEFFdocument.title = "Größe"')
  expect(bundle.read('a.css')).toBe('\uFEFF@charset "iso-8859-2";p{content:"Göł"}'.replace('Gö', 'Grö'))
  expect(bundle.read('a.svg')).toMatch(/^\uFEFF<\?xml.*<text>Größe<\/text>/)
  expect(bundle.read('a.xhtml')).toMatch(/^\uFEFF<\?xml.*<title>Größe<\/title>/)
  expect(bundle.read('b.css')).toBe('p{content:"ö"}')
})

test('pages that parsers would take minutes for are kept with the policy, and are named', async () => {
  const deep = `<!doctype html><html><head><title>Deep</title></head><body>${'<span>'.repeat(60_000)}${'<p>x'.repeat(60_000)}`
  const bundle = await makeBundle({ 'index.html': page('<a href="deep.html">deep</a>'), 'deep.html': deep })
  expect(bundle.read('deep.html')).toMatch(
    /^<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy"/,
  )
  expect(bundle.report.lines).toContainEqual(
    expect.objectContaining({ file: 'deep.html', what: expect.stringContaining('nested too deeply') }),
  )
})

test('scripts and style sheets without a declaration are in the encoding of the pages', async () => {
  const bytes = (text: string) => Buffer.from(text.replaceAll('日本', '\x93\xfa\x96\x7b'), 'latin1')
  const bundle = await makeBundle({
    'index.html': bytes(page('日本', '<meta charset="shift_jis">')),
    'a.js': bytes('document.title = "日本"'),
    'a.css': bytes('p{content:"日本"}'),
  })
  for (const name of ['index.html', 'a.js', 'a.css']) expect(bundle.read(name)).toContain('日本')
})

test('a redirect to another host is a link', async () => {
  const moved = page('Moved', '<META http-equiv=Refresh content="0; url=https://else.example.org/new?a=1&amp;b=2#c">')
  const bundle = await makeBundle({
    'index.html': page('Start'),
    'moved.html': moved,
    'bare.html': moved.replace(/<body>|<.html>/g, ''),
  })
  const link =
    '<a href="https://else.example.org/new?a=1&amp;b=2#c" rel="noopener">https://else.example.org/new?a=1&amp;b=2#c</a>'
  for (const name of ['moved.html', 'bare.html']) {
    expect(bundle.read(name)).not.toMatch(/http-equiv=Refresh/i)
    expect(bundle.read(name)).toContain(link)
  }
  expect(bundle.report.otherHosts).toEqual({ 'else.example.org': 2 })
})

test('entities of a picture hide no address, nest or not, and those without end leave the picture as it is', async () => {
  const picture = (entities: string, body: string) =>
    `<!DOCTYPE svg [${entities}]><svg xmlns="http://www.w3.org/2000/svg">${body}</svg>`
  const image = '<image href="&b;"/>'
  const laughs = '<!ENTITY a "&b;&b;"><!ENTITY b "&a;&a;">'
  const bundle = await makeBundle({
    'index.html': page('Start'),
    'one.svg': picture('<!ENTITY b "https://img.example.org/x.png">', image),
    'nested.svg': picture(`<!ENTITY h "//img.example.org"><!ENTITY b '&h;/x.png'>`, image),
    'name.svg': picture('<!ENTITY ns "http://www.w3.org/1999/xlink">', '<g xmlns:xlink="&ns;"/>'),
    'laughs.svg': picture(laughs, image),
    'circle.svg': picture('<!ENTITY a "&b;"><!ENTITY b "&a;">', image),
  })
  for (const name of ['one.svg', 'nested.svg']) expect(bundle.read(name)).not.toContain('img.example.org')
  expect(bundle.read('name.svg')).toContain('xmlns:xlink="http://www.w3.org/1999/xlink"')
  expect(bundle.read('laughs.svg')).toContain(laughs)
  const kept = bundle.report.lines.filter(({ what }) => what.includes('its addresses stay as they are'))
  expect(kept.map(({ file }) => file)).toEqual(['circle.svg', 'laughs.svg'])
})

test('scripts that load pages in advance have a line', async () => {
  const bundle = await makeBundle({
    'index.html': page('<script>const rules = { type: "speculationrules" }</script>'),
    'a.js': 'rules.type = "speculationrules"',
  })
  expect(bundle.report.lines.map(({ what }) => what)).toContain(
    '2 × scripts that load pages in advance, to which no policy of a page applies',
  )
})

test('the same site gives the same bytes', async () => {
  const tree = {
    'index.html': page('<a href="/b.html">b</a>'),
    'b.html': page('<img src="https://img.example.org/a.png">'),
  }
  const [one, other] = [await makeBundle(tree), await makeBundle(tree)]
  expect(one.files).toEqual(other.files)
})

test('markup without addresses stays byte for byte', async () => {
  const html = page(
    '<TABLE><td>a<td>b</TABLE>\r\n<!-- <a href="/x"> --><pre>\n&nbsp;&lt;  x</pre><img alt=\'"\' src=i.png>',
  )
  const bundle = await makeBundle({ 'index.html': html, 'i.png': 'x' })
  const head = /<meta charset="utf-8"><meta http-equiv="Content-Security-Policy"[^>]*>/
  expect(bundle.read('index.html')!.replace(head, '')).toBe(html)
})

test('files of allowed hosts are copied, with the files that their style sheets name', async () => {
  const remote: Record<string, { content: Buffer; type: string }> = {
    'https://fonts.example.org/a.css': {
      content: Buffer.from('@font-face{font-family:a;src:url(f/a.woff2)}'),
      type: 'text/css',
    },
    'https://fonts.example.org/f/a.woff2': { content: Buffer.from('font'), type: 'font/woff2' },
  }
  const bundle = await makeBundle(
    {
      'guide/index.html': page(
        'x',
        '<link rel="stylesheet" href="https://fonts.example.org/a.css" integrity="sha256-x">',
      ),
      'index.html': page('x'),
    },
    { readRemote: async (url) => remote[url] ?? null },
  )
  const sheet = /href="(\.\.\/_docket\/hosts\/fonts\.example\.org\/a\.\w{8}\.css)">/.exec(
    bundle.read('guide/index.html')!,
  )?.[1]
  expect(bundle.read(sheet!.slice(3))).toMatch(/url\("a\.\w{8}\.woff2"\)/)
  expect(bundle.report.otherHosts).toEqual({})
  expect(await findings(bundle)).toEqual([])
})

test('some pages alone lead to the others at the public address of the site', async () => {
  const bundle = await makeBundle(
    {
      'index.html': page('<a href="/docs/b">b</a>', '<link rel="canonical" href="https://docs.example.com/docs/">'),
      'b.html': page('<a href="/docs/">home</a>'),
      'c.html': page('c'),
    },
    { paths: ['index'], site: { origins: ['https://docs.example.com'], mount: '/docs/' } },
  )
  expect(bundle.pages).toBe(1)
  expect(bundle.read('index.html')).toContain('<a href="https://docs.example.com/docs/b">')
  expect(bundle.read('b.html')).toBe(null)
  await expect(makeBundle({ 'index.html': page('x') }, { paths: ['nowhere'] })).rejects.toThrow(
    'The site has no page nowhere',
  )
})

test('the page for missing addresses finds its files at any depth', async () => {
  const bundle = await makeBundle({
    'index.html': page('<a href="/404.html">x</a>'),
    '404.html': page('<a href="/">home</a>', '<link rel="stylesheet" href="/a.css">'),
    'a.css': '',
  })
  expect(bundle.read('404.html')).toContain('<link rel="stylesheet" href="/a.css">')
  expect(bundle.read('404.html')).toContain('<a href="/index.html">')
})

test('addresses of a crawled site lead to the files that the crawler wrote', async () => {
  const addresses = new Map([
    ['/q?page=1', 'q-1.html'],
    ['/q?page=2', 'q-2.html'],
    ['/', 'index.html'],
    ['/old', 'q-1.html'],
  ])
  const bundle = await makeBundle(
    {
      'index.html': page('<a href="/q?page=2">2</a><a href="old#x">1</a>'),
      'q-1.html': page('<a href="?page=2">next</a>'),
      'q-2.html': page('<a href="/">home</a>'),
    },
    { site: { addresses } },
  )
  expect(bundle.read('index.html')).toContain('<a href="q-2.html">2</a><a href="q-1.html#x">1</a>')
  expect(bundle.read('q-1.html')).toContain('<a href="q-2.html">next</a>')
  expect(bundle.read('q-2.html')).toContain('<a href="index.html">home</a>')
})

test('addresses that lead nowhere stay as relative ones, and the report counts them', async () => {
  const bundle = await makeBundle({
    'index.html': page('<a href="/docs/guide/">guide</a><a href="/docs/gone/">gone</a>'),
    'guide/index.html': page('<a href="/docs/">home</a><a href="/docs/gone/?x#y">gone</a>'),
  })
  expect(bundle.read('guide/index.html')).toContain('<a href="../gone/?x#y">')
  expect(bundle.report.counts).toEqual({ 'broken-link': 1 })
  expect(bundle.report.lines[0]!.what).toBe('addresses of the site that lead nowhere: 2, the first to /docs/gone/?x#y')
})

test('a link that leads nowhere is one finding: the check’s, not the report’s as well', async () => {
  const bundle = await makeBundle({
    'index.html': page('<a href="/docs/guide/">guide</a><a href="/docs/gone/">gone</a><img src="lost.png">'),
    'guide/index.html': page('<a href="/docs/">home</a><a href="near.html">near</a>'),
  })
  const { report } = await bundle.check()
  const findAbout = (word: string) => report.findings.filter(({ target }) => target?.includes(word))
  expect(['gone', 'lost.png', 'near'].map((word) => findAbout(word).length)).toEqual([1, 1, 1])
  expect(bundle.report.lines.map(({ what }) => what)).toEqual([
    'addresses of the site that lead nowhere: 3, the first to near.html',
  ])
})

test('a part of a template language is no page unless a page links to it, and the report names it', async () => {
  const part = '<!-- made -->\n{# icons #}\n{% macro icons() %}<link href="{{ pathto(1) }}">{% endmacro %}\n'
  const bundle = await makeBundle({
    'index.html': page('<a href="_static/sample.html">a sample</a> <code>{% macro x() %}</code>'),
    'short.html': '<p>No head, and {% nothing %} of a template</p>',
    '_static/macros.html': part,
    '_static/sample.html': part,
  })
  expect(Object.keys(bundle.files)).toEqual(expect.arrayContaining(['_static/sample.html', 'index.html', 'short.html']))
  expect(bundle.read('_static/macros.html')).toBeNull()
  expect(bundle.pages).toBe(3)
  expect(bundle.report.lines.filter(({ what }) => what.includes('template'))).toEqual([
    expect.objectContaining({ file: '_static/macros.html', what: 'it is a template, and no page links to it' }),
  ])
})

test('relative addresses that lead nowhere stay as they are written, and the report counts them', async () => {
  const bundle = await makeBundle({
    'index.html': page('<a href="/docs/guide/">guide</a><a href="gone.html?x=1#y">gone</a><img src="./gone.png">'),
    'guide/index.html': page('<a href="/docs/">home</a><a href="../index.html">home</a><a href="../../beside/">x</a>'),
  })
  expect(bundle.read('index.html')).toContain('<a href="gone.html?x=1#y">gone</a><img src="./gone.png">')
  expect(bundle.report.lines).toEqual([
    expect.objectContaining({
      page: 'index.html',
      kind: 'broken-link',
      what: 'addresses of the site that lead nowhere: 2, the first to gone.html?x=1#y',
    }),
  ])
})

test('links to pages that a crawler left out lead to the original site', async () => {
  const addresses = new Map([
    ['/docs/', 'index.html'],
    ['/docs/two/', 'two.html'],
  ])
  const bundle = await makeBundle(
    { 'index.html': page('<a href="private/?a=1#b">private</a><img src="gone.png" alt="">'), 'two.html': page('x') },
    { site: { addresses, mount: '/docs/', origins: ['https://docs.example.com'] } },
  )
  expect(bundle.read('index.html')).toContain('<a href="https://docs.example.com/docs/private/?a=1#b">')
  expect(bundle.read('index.html')).toContain('<img src="./gone.png" alt="">')
})

test('what a script adds to an address that was cut does not run as a script', async () => {
  const bundle = await makeBundle({
    'index.html': page('x', '<script src="a.js"></script>'),
    'a.js': 'import(`https://ads.example.org/a.js?id=${id}&place=${place}`)',
  })
  expect(bundle.read('a.js')).toBe('import(`data:,//${id}&place=${place}`)')
})

test('an unchanged page is taken from the cache with its report and its place in the search', async () => {
  const known = new Map<string, unknown>()
  let made = 0
  const cache = async <T>(parts: readonly string[], make: () => Promise<T>): Promise<T> => {
    const key = parts.join('\n')
    if (!known.has(key)) {
      made += 1
      known.set(key, structuredClone(await make()))
    }
    return known.get(key) as T
  }
  const found: string[] = []
  const search: PortableSearch = {
    createIndex: () => ({ add: ({ path, title }) => found.push(`${path} ${title}`), close: () => undefined }),
    readSections: () => [],
    readFiles: async () => new Map(),
    formatWords: (lang) => ({ file: `words-${lang}.js`, script: lang }),
  }
  const tree = {
    'index.html': page('<img src="https://img.example.org/a.png">'),
    'ar/index.html': page('x').replace('"en"', 'ar'),
  }
  const first = await makeBundle(tree, { cache, search })
  const second = await makeBundle(tree, { cache, search })
  expect(made).toBe(2)
  expect(second.files).toEqual(first.files)
  expect(found.slice(2)).toEqual(found.slice(0, 2))
  expect(second.report.otherHosts).toEqual({ 'img.example.org': 1 })
  expect(second.read('words-ar.js')).toBe('ar')
  expect(second.read('ar/index.html')).toContain('<script defer src="../words-ar.js"></script>')
  // Another file may change what any address leads to.
  await makeBundle({ ...tree, 'b.html': page('b') }, { cache, search })
  expect(made).toBe(5)
})

test('files whose names begin with a dot have one line', async () => {
  const bundle = await makeBundle({ 'index.html': page('x'), '.env': 'x', 'a/.b/c': 'x' })
  expect(bundle.report.lines.map(({ what }) => what)).toEqual(['files and folders whose names begin with a dot: 2'])
})
