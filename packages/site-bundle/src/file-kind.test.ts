import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { analyseFiles } from '#testing/analyse-files.ts'
import { page } from '#testing/planted-defects.ts'
import { formatContentType, respondWithFile } from '#serve/respond.ts'

const utf16 = (text: string, order: 'le' | 'be' = 'le') => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}
const latin = (text: string) => Buffer.from(text, 'latin1')
const bare = (title: string, head = '') =>
  `<!doctype html><html lang="en"><head>${head}<title>${title}</title></head><body><h1>${title}</h1></body></html>`

const readTypes = async (files: Readonly<Record<string, string | Buffer>>) => {
  const { manifest } = await analyseFiles({ 'index.html': page(''), ...files })
  return new Map(manifest.files.map((file) => [file.path.replace(/^site\//, ''), formatContentType(file)]))
}

test('each name has the media type that browsers and readers expect', async () => {
  const expected = {
    'a.rss': 'application/rss+xml',
    'a.atom': 'application/atom+xml',
    'a.vtt': 'text/vtt; charset=utf-8',
    'a.xsl': 'application/xslt+xml',
    'a.m4a': 'audio/mp4',
    'a.mov': 'video/quicktime',
    'a.ogg': 'audio/ogg',
    'a.opus': 'audio/ogg',
    'a.flac': 'audio/flac',
    'a.tgz': 'application/gzip',
    'a.tar': 'application/x-tar',
    'a.bz2': 'application/x-bzip2',
    'a.7z': 'application/x-7z-compressed',
    'a.zst': 'application/zstd',
    'a.cjs': 'text/javascript; charset=utf-8',
    'a.MJS': 'text/javascript; charset=utf-8',
    'a.jsx': 'text/jsx; charset=utf-8',
    'a.jsonc': 'application/json',
    'a.geojson': 'application/geo+json',
    'a.ndjson': 'application/x-ndjson',
    'a.webmanifest': 'application/manifest+json',
    'a.wasm': 'application/wasm',
    'a.svgz': 'image/svg+xml',
    'a.md': 'text/markdown; charset=utf-8',
    'a.yaml': 'application/yaml',
    'a.epub': 'application/epub+zip',
    'a.ics': 'text/calendar; charset=utf-8',
    'a.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'a.jxl': 'image/jxl',
    'archive.tar.gz': 'application/gzip',
  }
  const types = await readTypes(Object.fromEntries(Object.keys(expected).map((name) => [name, 'x'])))
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, types.get(name)]))).toEqual(expected)
})

test('a file whose name has no type is what its first bytes say', async () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])
  const types = await readTypes({
    'guide/start': bare('Start'),
    'guide/commented': `<!-- saved from an address -->\n${bare('Commented')}`,
    'guide/xml': `<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd"><html></html>`,
    'guide/wide': utf16(bare('Wide')),
    'view.php?id=3': bare('View 3'),
    'view.php?id=4.html': bare('View 4'),
    'view.php@id=5': bare('View 5'),
    'page.aspx': bare('Page'),
    'style.css?v=2': 'body { color: red }',
    'style.css@v=1.2': 'body { color: red }',
    'app.js?x=1': '1',
    'logo@2x.png': png,
    'picture?id=3': png,
    feed: '<?xml version="1.0"?><rss version="2.0"></rss>',
    'news/atom': '<feed xmlns="http://www.w3.org/2005/Atom"></feed>',
    '.well-known/apple-app-site-association': '{ "applinks": {} }',
    LICENSE: 'Permission is granted',
    'lib.rs': 'fn main() {}',
    'types.ts': 'export type One = 1',
    'clip.ts': Buffer.from([0x47, 0x40, 0x00, 0x10, 0x00, 0x00]),
    'source.php': '<?php echo 1;',
    'data.bin2': Buffer.from([0, 1, 2, 3]),
    comments: '<!---->'.repeat(600),
  })
  expect(Object.fromEntries([...types].filter(([path]) => path !== 'index.html'))).toEqual({
    'guide/start': 'text/html; charset=utf-8',
    'guide/commented': 'text/html; charset=utf-8',
    'guide/xml': 'text/html; charset=utf-8',
    'guide/wide': 'text/html',
    'view.php?id=3': 'text/html; charset=utf-8',
    'view.php?id=4.html': 'text/html; charset=utf-8',
    'view.php@id=5': 'text/html; charset=utf-8',
    'page.aspx': 'text/html; charset=utf-8',
    'style.css?v=2': 'text/css; charset=utf-8',
    'style.css@v=1.2': 'text/css; charset=utf-8',
    'app.js?x=1': 'text/javascript; charset=utf-8',
    'logo@2x.png': 'image/png',
    'picture?id=3': 'image/png',
    feed: 'application/rss+xml',
    'news/atom': 'application/atom+xml',
    '.well-known/apple-app-site-association': 'application/json',
    LICENSE: 'text/plain; charset=utf-8',
    'lib.rs': 'text/plain; charset=utf-8',
    'types.ts': 'text/plain; charset=utf-8',
    'clip.ts': 'video/mp2t',
    'source.php': 'text/plain; charset=utf-8',
    'data.bin2': 'application/octet-stream',
    comments: 'text/plain; charset=utf-8',
  })
})

test('a header names UTF-8 for texts in UTF-8 only, and overrules no page that declares another encoding', async () => {
  const shiftJis = Buffer.concat([
    Buffer.from('<!doctype html><html><head><meta charset="shift_jis"><title>'),
    Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
    Buffer.from('</title></head></html>'),
  ])
  const long = 'ü'.repeat(1_100_000)
  const types = await readTypes({
    'none.html': bare('Ünï'),
    'ascii.html': bare('Plain'),
    'utf8.html': bare('Ünï', '<meta charset="utf-8">'),
    'described.html': bare('Ünï', '<meta name="description" content="write charset=latin1 in the head">'),
    'commented.html': bare('Ünï', '<!-- <meta charset="latin1"> -->'),
    'marked.html': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(bare('Ünï'))]),
    'sjis.html': shiftJis,
    'latin.html': latin(bare('Größe', '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">')),
    'declared-only.html': bare('Plain', '<meta charset="windows-1252">'),
    'undeclared.html': latin(bare('Größe')),
    'utf16.html': utf16(bare('Ünï')),
    'xml.html': latin(`<?xml version="1.0" encoding="iso-8859-1"?>${bare('Größe')}`),
    'text.txt': 'Größe',
    'latin.txt': latin('Größe'),
    'latin.css': latin('/* Größe */'),
    'long.txt': long,
    'long-latin.txt': Buffer.concat([Buffer.from(long), latin('ü')]),
    'cut.txt': Buffer.from('ü').subarray(0, 1),
  })
  const named = [...types].filter(([, type]) => type.includes('charset')).map(([path]) => path)
  expect(named.toSorted()).toEqual([
    'ascii.html',
    'commented.html',
    'described.html',
    'index.html',
    'long.txt',
    'marked.html',
    'none.html',
    'text.txt',
    'utf8.html',
  ])
})

test('a packed picture is sent as it is, with the encoding that browsers undo', async () => {
  const svgz = gzipSync('<svg xmlns="http://www.w3.org/2000/svg"/>')
  const { manifest } = await analyseFiles({ 'index.html': page(''), 'a.svgz': svgz, 'plain.svgz': '<svg/>' })
  const answer = (name: string, headers = {}) => {
    const file = manifest.files.find(({ path }) => path === `site/${name}`)!
    return respondWithFile({ ...file, encoding: 'gzip', encodedBytes: 9 }, { headers })
  }
  const whole = { start: 0, end: svgz.length - 1 }
  const packed = { 'Content-Type': 'image/svg+xml', 'Content-Encoding': 'gzip', 'Content-Length': `${svgz.length}` }
  expect(answer('a.svgz')).toMatchObject({ status: 200, headers: packed, body: whole })
  expect(answer('a.svgz', { 'accept-encoding': 'gzip' })).toMatchObject({ headers: packed, body: whole })
  expect(answer('plain.svgz').headers).not.toHaveProperty('Content-Encoding')
})

test('texts of bundles that 1.0.0 read count as UTF-8, and their pages declare their encoding', () => {
  expect(['text/plain', 'text/html', 'image/png'].map((type) => formatContentType({ type }))).toEqual([
    'text/plain; charset=utf-8',
    'text/html',
    'image/png',
  ])
})
