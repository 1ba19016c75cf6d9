import { expect, test } from 'vitest'
import { analyseFiles, type Tree } from '#testing/analyse-files.ts'
import { page } from '#testing/planted-defects.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

const check = async (files: Tree) => {
  const { manifest, report } = await analyseFiles({ '404.html': page(''), ...files })
  const findings = report.findings.map(({ level, rule, target }) => `${level} ${rule} ${target}`)
  return {
    titles: Object.fromEntries(manifest.pages.map(({ address, title }) => [address, title])),
    alarms: findings.filter((finding) => !finding.startsWith('notes')).toSorted(),
    notes: findings.filter((finding) => finding.startsWith('notes')),
    findings,
  }
}
const links = (...addresses: string[]) => page(addresses.map((one) => `<a href="${one}">x</a>`).join(''), '', 'Home')

test('pages in any encoding that they declare have their titles, and their links lead to what they name', async () => {
  // 日本.html, 章 and 日本語 in Shift_JIS.
  const [japan, chapter, language] = [
    [0x93, 0xfa, 0x96, 0x7b],
    [0x8f, 0xcd],
    [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea],
  ]
  const shiftJis = Buffer.concat(
    [
      '<!doctype html><html lang="ja"><head><meta charset="Shift_JIS"><title>',
      language,
      '</title></head><body><h1 id="',
      chapter,
      '">x</h1><a href="',
      japan,
      '.html">a</a><a href="#',
      chapter,
      '">b</a></body></html>',
    ].map((part) => Buffer.from(part as string)),
  )
  const wide =
    '<!doctype html><html lang="en"><head><title>Größe</title></head><body><h1>x</h1><a href="gone">x</a><img alt="" src="https://wide.example/a.png"></body></html>'
  const { titles, alarms } = await check({
    'index.html': page(
      '<a href="sjis.html">1</a><a href="latin.html">2</a><a href="wide.html">3</a><a href="big">4</a>',
      '',
      'Ünï',
    ),
    'sjis.html': shiftJis,
    '日本.html': page('', '', '日本'),
    'latin.html': latin(
      '<html><head><meta http-equiv=content-type content="text/html;charset=iso-8859-1"><title>Größe</title></head><body><h1>Größe</h1><a href="größe.html">x</a></body></html>',
    ),
    'größe.html': page('', '', 'G'),
    'wide.html': utf16(wide),
    big: utf16(wide.replace('gone', 'lost'), true),
    'ch.xhtml': latin(
      '<?xml version="1.0" encoding="ISO-8859-1"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Füße</title></head><body/></html>',
    ),
  })
  expect(titles).toMatchObject({
    '/': 'Ünï',
    '/sjis': '日本語',
    '/latin': 'Größe',
    '/wide': 'Größe',
    '/big': 'Größe',
    '/ch': 'Füße',
  })
  expect(alarms).toEqual(['breaks missing-page /gone', 'breaks missing-page /lost', 'leaks outside-image wide.example'])
})

test('style sheets in another encoding lead to the files that they name', async () => {
  const { alarms } = await check({
    'index.html': page('', '<link rel="stylesheet" href="a.css">', 'Home'),
    'a.css': latin('@charset "iso-8859-1"; p { background: url(größe.svg) }'),
    'größe.svg': '<svg/>',
  })
  expect(alarms).toEqual([])
})

test('pages and style sheets without an ending are listed and checked', async () => {
  const { titles, alarms } = await check({
    'index.html': page(
      '<a href="guide/start">1</a><a href="view.php%3Fid=3">2</a>',
      '<link rel="stylesheet" href="style.css%3Fv=2">',
      'Home',
    ),
    'guide/start': page(
      '<img alt="" src="https://start.example/a.png"><a href="gone">x</a><a href="../view.php%3Fid=3#start">y</a>',
      '',
      'Start',
    ),
    'view.php?id=3': page('<a href="gone.html">x</a>', '', 'View 3'),
    'style.css?v=2': '@import "missing.css"; body { background: url(https://style.example/b.png) }',
  })
  expect(titles).toMatchObject({ '/guide/start': 'Start', '/view.php%3Fid=3': 'View 3' })
  expect(alarms).toEqual([
    'breaks missing-file /missing.css',
    'breaks missing-page /gone.html',
    'breaks missing-page /guide/gone',
    'leaks outside-image start.example',
    'leaks outside-image style.example',
  ])
})

test('XHTML is read by the rules of XML', async () => {
  const head =
    '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "x"><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de">'
  const { titles, alarms } = await check({
    'index.html': links('ch1.xhtml#s2', 'ch1.xhtml#s3', 'ch1.xhtml#s4', 'broken.xhtml'),
    'a.js': '1',
    'ch1.xhtml': `${head}<head><title>One&nbsp;&amp;&#32;all</title><script src="a.js"/></head><body><h1>C</h1><a id="s1"/><h2 id="s2">S</h2><a href="nope.xhtml">n</a><textarea/><p id="s3">x</p><![CDATA[<a href="never.xhtml">]]><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="lost.png"/></svg></body></html>`,
    'broken.xhtml': `${head}<head><title>Broken</title></head><body><p>a<br>b</p><a href="still.xhtml">s</a></body></html>`,
  })
  expect(titles).toMatchObject({ '/ch1': 'One & all', '/broken': 'Broken' })
  expect(alarms).toEqual([
    'breaks missing-file /lost.png',
    'breaks missing-fragment /ch1#s4',
    'breaks missing-page /nope.xhtml',
    'breaks missing-page /still.xhtml',
  ])
})

test.for([
  ['<a href="file:///C:/docs/x.html">x</a>', 'file:///C:/docs/x.html'],
  ['<a href="file:notes.html">x</a>', 'file:notes.html'],
  [String.raw`<a href="C:\docs\x.html">x</a>`, String.raw`C:\docs\x.html`],
  ['<a href="d:/docs/x.html">x</a>', 'd:/docs/x.html'],
  [String.raw`<a href="\\server\share\x.html">x</a>`, String.raw`\\server\share\x.html`],
  ['<img alt="" src="file:///C:/x.png">', 'file:///C:/x.png'],
  [String.raw`<img alt="" src=" C:\img\y.png">`, String.raw`C:\img\y.png`],
  ['<img alt="" srcset="file:///x.png 2x">', 'file:///x.png'],
  ['<script src="file:///x.js"></script>', 'file:///x.js'],
  ['<p style="background: url(file:///x.png)">x</p>', 'file:///x.png'],
  ['<base href="file:///C:/site/"><a href="guide.html">x</a>', 'file:///C:/site/'],
  ['<form action="file:///C:/x"></form>', 'file:///C:/x'],
])('a path on the author’s computer breaks: %s', async ([markup, target]) => {
  const { alarms } = await check({
    'index.html': `<!doctype html><html lang="en"><title>t</title><h1>t</h1>${markup}</html>`,
  })
  expect(alarms).toEqual([`breaks local-path ${target}`])
})

test('files from a private network leak, and links there are a note of their own', async () => {
  const hosts = [
    'localhost:3000',
    'app.localhost',
    '127.0.0.1:8080',
    '[::1]',
    '10.0.0.5',
    '192.168.1.2',
    '172.16.0.9',
    '169.254.1.1',
    '[fd00::1]',
    'wiki',
    'nas.local',
    'git.corp.internal',
  ]
  const open = ['example.com', '8.8.8.8', '172.32.0.1', '[2606:4700::1]', 'local.example']
  const { alarms, notes } = await check({
    'index.html': links(...[...hosts, ...open].map((host) => `http://${host}/x`)),
    'loads.html': page(
      '<img alt="" src="http://192.168.1.2/a.png"><script src="http://localhost:3000/livereload.js" async></script>',
      '<link rel="stylesheet" href="http://wiki/a.css" media="print">',
    ),
  })
  expect(alarms).toEqual([
    'leaks outside-image 192.168.1.2',
    'leaks outside-script http://localhost:3000/livereload.js',
    'leaks outside-style http://wiki/a.css',
  ])
  const select = (rule: string) =>
    notes.flatMap((note) => (note.startsWith(`notes ${rule} `) ? [note.split(' ')[2]!] : [])).toSorted()
  expect(select('private-link')).toEqual(hosts.toSorted())
  expect(select('outside-link')).toEqual(open.toSorted())
})

test('whatever a page announces and the bundle lacks is a note', async () => {
  const head = [
    '<link rel="canonical" href="/canon">',
    '<link rel="alternate" hreflang="de" href="de/missing.html">',
    '<link rel="alternate" hreflang="fr" href="https://elsewhere.example/fr">',
    '<link rel="alternate" type="application/rss+xml" href="feed.xml">',
    '<link rel="next" href="next.html"><link rel="prev" href="prev.html">',
    '<link rel="search" href="opensearch.xml">',
    '<link rel="license" href="index.html">',
    '<link rel="manifest" href="app/app.webmanifest">',
  ].join('')
  const { findings } = await check({
    'index.html': page('', head, 'Home'),
    'app/app.webmanifest': JSON.stringify({
      start_url: './start',
      shortcuts: [{ url: '/index.html' }, { url: 'short' }],
    }),
    'sitemap.xml': '<urlset><url><loc><![CDATA[https://x.example/cdata]]></loc></url></urlset>',
  })
  expect(findings.filter((finding) => /missing|sitemap|public|outside/.test(finding)).toSorted()).toEqual([
    'notes missing-hint /app/short',
    'notes missing-hint /app/start',
    'notes missing-hint /canon',
    'notes missing-hint /de/missing.html',
    'notes missing-hint /feed.xml',
    'notes missing-hint /next.html',
    'notes missing-hint /opensearch.xml',
    'notes missing-hint /prev.html',
    'notes sitemap-entry /cdata',
  ])
})

test('absolute addresses of the published site are looked up, unless it is at other paths than the bundle', async () => {
  const named = (path: string, more = '') =>
    page('', `<link rel="canonical" href="https://docs.example${path}">${more}`, path)
  const gone = '<link rel="alternate" hreflang="de" href="https://docs.example/de/">'
  const pages = (below: string) => ({
    'index.html': named(`${below}/`),
    'one.html': named(`${below}/one`, gone),
    'two.html': named(`${below}/two`),
  })
  const find = async (below: string) =>
    (await check(pages(below))).findings.filter((finding) => finding.includes('missing'))
  expect(await find('')).toEqual(['notes missing-hint /de/'])
  expect(await find('/handbook')).toEqual([])
})
