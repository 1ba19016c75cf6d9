import type { IncomingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import { siteInMemory } from '#testing/site-in-memory.ts'
import { respondWithFile } from './respond.ts'

const site = siteInMemory({
  'site/style.css': 'body { color: red }',
  'site/logo.png': Buffer.from('0123456789'),
  'site/404.html': '<h1>Not here</h1>',
})

const respond = async (path: string, headers: IncomingHttpHeaders, method = 'GET', status: 200 | 404 = 200) => {
  const { status: sent, headers: all, body } = respondWithFile((await site.find(path))!, { method, headers }, status)
  return { status: sent, body, ...all }
}

test('a text is sent as stored gzip, and decoded for clients that do not accept gzip', async () => {
  const { sha256 } = (await site.find('site/style.css'))!
  const gzip = await respond('site/style.css', { 'accept-encoding': 'br, gzip' })
  expect(gzip).toMatchObject({ status: 200, body: 'encoded', 'Content-Encoding': 'gzip', ETag: `"${sha256}-gzip"` })
  expect(gzip).toMatchObject({ 'Content-Type': 'text/css; charset=utf-8', Vary: 'Accept-Encoding' })
  for (const accepted of [undefined, 'br', 'gzip;q=0', 'identity'])
    expect(await respond('site/style.css', { 'accept-encoding': accepted })).toMatchObject({
      body: { start: 0, end: 18 },
      ETag: `"${sha256}"`,
      'Content-Length': '19',
    })
})

test('a client gets 304 only for the encoding of the file that it already has', async () => {
  const { sha256 } = (await site.find('site/style.css'))!
  const ask = (tag: string) => respond('site/style.css', { 'if-none-match': tag, 'accept-encoding': 'gzip' })
  for (const tag of [`"${sha256}-gzip"`, `W/"${sha256}-gzip"`, `"x", "${sha256}-gzip"`, '*'])
    expect(await ask(tag)).toMatchObject({ status: 304, body: 'none' })
  expect((await ask(`"${sha256}"`)).status).toBe(200)
})

test.for([
  ['bytes=0-3', 206, 'bytes 0-3/10'],
  ['bytes=8-', 206, 'bytes 8-9/10'],
  ['bytes=-4', 206, 'bytes 6-9/10'],
  ['bytes=5-999', 206, 'bytes 5-9/10'],
  ['bytes=10-', 416, 'bytes */10'],
  ['bytes=-0', 416, 'bytes */10'],
  ['bytes=3-1', 200, undefined],
  ['bytes=0-1,4-5', 200, undefined],
  ['pages=1-2', 200, undefined],
] as const)('the range %s is answered with %i', async ([range, status, contentRange]) => {
  const answer: Record<string, unknown> = await respond('site/logo.png', { range })
  expect([answer['status'], answer['Content-Range']]).toEqual([status, contentRange])
})

test('If-Range with another version’s tag sends the whole file', async () => {
  const { sha256 } = (await site.find('site/logo.png'))!
  expect((await respond('site/logo.png', { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
  expect((await respond('site/logo.png', { range: 'bytes=0-1', 'if-range': `"${sha256}"` })).status).toBe(206)
})

test('HEAD has the headers of GET without a body, and a 404 page has no ETag', async () => {
  expect(await respond('site/logo.png', {}, 'HEAD')).toMatchObject({ body: 'none', 'Content-Length': '10' })
  const missing = await respond('site/404.html', { range: 'bytes=0-1', 'if-none-match': '*' }, 'GET', 404)
  expect(missing).toMatchObject({ status: 404, body: { start: 0 } })
  expect(missing).not.toHaveProperty('ETag')
})
