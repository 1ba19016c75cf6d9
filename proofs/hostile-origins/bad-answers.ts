import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { htmlPage, type Served } from '#packages/site-exporter/src/testing/origin.ts'

const mb = 2 ** 20
const html = { 'content-type': 'text/html' }

const zeros = Buffer.alloc(128 * mb)
const gzipBomb = gzipSync(zeros)
const brotliBomb = brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })

const endless =
  (type: string, piece: Buffer): Served =>
  (response) => {
    response.writeHead(200, { 'content-type': type })
    const more = () => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  }

const dripping =
  (head: boolean): Served =>
  (response) => {
    if (head) response.writeHead(200, html)
    const socket = response.socket!
    if (!head) socket.write('HTTP/1.1 200 OK\r\nx-drip: ')
    const timer = setInterval(() => (head ? response.write('x') : socket.write('x')), 100)
    response.on('close', () => clearInterval(timer))
  }

const raw =
  (text: string): Served =>
  ({ socket }) =>
    socket!.end(text)

const laughs = `<!DOCTYPE lolz [<!ENTITY a "lol">${'bcdefghij'
  .split('')
  .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghi'[at]};`.repeat(10)}">`)
  .join('')}]>`

/** Answers that no honest page gives, by the kind of harm. Each is one that the rest of the site must survive. */
export const badAnswers: Readonly<Record<string, Served>> = {
  'gzip of 128 MB': { headers: { 'content-encoding': 'gzip' }, body: gzipBomb },
  'brotli of 128 MB': { headers: { 'content-encoding': 'br' }, body: brotliBomb },
  'gzip in gzip': { headers: { 'content-encoding': 'gzip, gzip' }, body: gzipSync(gzipBomb) },
  'an encoding nobody asked for': { headers: { 'content-encoding': 'zstd' }, body: gzipBomb },
  'a page without end': endless('text/html', Buffer.alloc(64 * 1024, '<p>x</p>')),
  'a file without end': endless('application/pdf', Buffer.alloc(64 * 1024, 'x')),
  'a body in drips': dripping(true),
  'a head in drips': dripping(false),
  silence: () => {},
  'a head without end': raw(`HTTP/1.1 200 OK\r\n${'x-long: '.padEnd(mb, 'x')}`),
  'many heads': raw(
    `HTTP/1.1 200 OK\r\n${Array.from({ length: 5_000 }, (_, at) => `x-${at}: y`).join('\r\n')}\r\n\r\n`,
  ),
  'no HTTP': raw('SSH-2.0-OpenSSH_9.7\r\n'),
  'a length too large': raw('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 99999999999\r\n\r\n<p>x'),
  'two lengths': raw('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 9\r\n\r\nxxxxxxxxx'),
  'a chunk too large': raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffffff\r\nxx'),
  'elements in elements': htmlPage('Deep', '<div>'.repeat(200_000)),
  'elements across elements': htmlPage('Adoption', '<b><i><a><p>'.repeat(20_000)),
  'tables in tables': htmlPage('Tables', '<table><tr><td>'.repeat(50_000)),
  'a million headings': htmlPage('Headings', '<h2>x</h2>'.repeat(400_000)),
  'a million links': htmlPage('Links', Array.from({ length: 100_000 }, (_, at) => `<a href="/n${at}">x</a>`).join('')),
  'attributes without end': htmlPage(
    'Attributes',
    `<p ${Array.from({ length: 100_000 }, (_, at) => `a${at}=x`).join(' ')}>`,
  ),
  'entities in entities': {
    headers: { 'content-type': 'application/xhtml+xml' },
    body: `${laughs}<html><body>&j;</body></html>`,
  },
  'a refresh to a script': '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  'another status': { status: 299, headers: html, body: 'x' },
  'later, in a year': { status: 503, headers: { 'retry-after': '31536000' } },
}

/**
 * Sitemaps that no honest site has, by path: unpacked too large, with entities, and listing one another without end.
 */
export const badSitemaps = (path: string): Served | undefined => {
  const xml = { 'content-type': 'application/xml' }
  if (path === '/sitemap.xml')
    return {
      headers: xml,
      body: `<sitemapindex>${['bomb.xml.gz', 'laughs.xml', 'list.txt', 'next/0', 'html'].map((name) => `<sitemap><loc>/sitemaps/${name}</loc></sitemap>`).join('')}</sitemapindex>`,
    }
  if (path === '/sitemaps/bomb.xml.gz') return { headers: { 'content-type': 'application/gzip' }, body: gzipBomb }
  if (path === '/sitemaps/laughs.xml')
    return { headers: xml, body: `${laughs}<urlset><url><loc>&j;</loc></url></urlset>` }
  if (path === '/sitemaps/list.txt')
    return {
      headers: { 'content-type': 'text/plain' },
      body: 'http://169.254.169.254/latest\nhttp://u:hunter2@127.0.0.1/x\nfile:///etc/passwd\n//127.0.0.1:22/\nhttps://x\n',
    }
  if (path === '/sitemaps/html') return htmlPage('No sitemap')
  const [, number] = /^\/sitemaps\/next\/(\d+)$/.exec(path) ?? []
  if (number === undefined) return undefined
  const next = [1, 2, 3].map((by) => `<sitemap><loc>/sitemaps/next/${Number(number) * 3 + by}</loc></sitemap>`)
  return { headers: xml, body: `<sitemapindex>${next.join('')}</sitemapindex>` }
}
