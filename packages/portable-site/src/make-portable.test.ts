import { expect, test } from 'vitest'
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
