import { expect, onTestFinished, test } from 'vitest'
import { bundlesApp, exportId, runningId, sha256 } from './testing/bundles-app.ts'
import { canary, storageStandIn } from './testing/storage.ts'

const readBytes = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('a download is the archive, byte for byte, with all headers that a browser needs to save it', async () => {
  const { download, mood, recorded, storage } = await bundlesApp()
  const response = await download()
  expect(response.status).toBe(200)
  const headers = Object.fromEntries(response.headers)
  expect(headers).toMatchObject({
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    'content-disposition':
      'attachment; filename="docs.example.com-2026-05-01.tar.gz"; filename*=UTF-8\'\'docs.example.com-2026-05-01.tar.gz',
    'content-length': '3000000',
    'content-type': 'application/gzip',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'x-request-id': 'test',
  })
  expect(headers['etag']).toMatch(/^"[\w-]{20,}"$/)
  expect(headers['content-encoding']).toBeUndefined()
  expect(sha256(await readBytes(response))).toBe(sha256(mood.archive))
  await expect.poll(() => recorded).toEqual({ sizeBytes: 3_000_000, sha256: sha256(mood.archive) })
  expect(storage.requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity' })
  expect(storage.requests[0]?.headers['authorization']).toBeUndefined()
})

test('no header of the downloading client is passed on to the service or the storage', async () => {
  const { download, storage } = await bundlesApp({ size: 10_000 })
  const own = { cookie: 'session=reader', authorization: 'Bearer reader', referer: 'https://reader.example/' }
  const more = { 'user-agent': 'reader', 'accept-language': 'reader', 'x-forwarded-for': 'reader', 'x-own': 'reader' }
  await readBytes(await download({ ...own, ...more }))
  expect(storage.heard.length).toBeGreaterThan(1)
  expect(JSON.stringify(storage.heard)).not.toContain('reader')
})

test('the SHA-256 is computed once per version of a bundle, and for every download of a bundle without an ETag', async () => {
  const { download, mood, recorded } = await bundlesApp({ size: 300_000 })
  const [first, other] = [mood.archive, Buffer.from(mood.archive).fill(0, 100_000)]
  const send = async (etag: string | null, archive: Buffer) => {
    Object.assign(mood, { etag, archive })
    delete recorded.sha256
    expect((await readBytes(await download())).equals(archive)).toBe(true)
  }
  const learnt = () => expect.poll(() => recorded.sha256)
  await send('"v1"', first)
  await learnt().toBe(sha256(first))
  await send('"v1"', first)
  await send('"v2"', other)
  await learnt().toBe(sha256(other))
  for (const archive of [first, first]) {
    await send(null, archive)
    await learnt().toBe(sha256(first))
  }
})

test('two downloads share one link, and the ETag stays the same after the link expires', async () => {
  const { download, storage } = await bundlesApp({ size: 10_000 })
  const [one, two] = await Promise.all([download(), download()])
  await Promise.all([readBytes(one), readBytes(two)])
  expect(storage.mints()).toBe(1)
  storage.kill()
  const third = await download()
  await readBytes(third)
  expect(storage.mints()).toBe(2)
  expect(third.headers.get('etag')).toBe(one.headers.get('etag'))
})

test.each([400, 401, 403, 404, 410])(
  'a link that expired early (%i) is renewed without the reader noticing',
  async (status) => {
    const { download, storage, mood } = await bundlesApp({ size: 10_000 })
    await readBytes(await download())
    mood.deadStatus = status
    storage.kill()
    const response = await download()
    expect(response.status).toBe(200)
    expect(sha256(await readBytes(response))).toBe(sha256(mood.archive))
    expect(storage.mints()).toBe(2)
  },
)

test('a link is renewed before its last seconds', async () => {
  const { download, storage, mood, clock } = await bundlesApp({ size: 10_000 })
  mood.expiresAt = new Date(clock.ms + 600_000).toISOString()
  await readBytes(await download())
  clock.ms += 560_000
  await readBytes(await download())
  expect(storage.mints()).toBe(1)
  clock.ms += 20_000
  await readBytes(await download())
  expect(storage.mints()).toBe(2)
})

test('a download fails with an error and a remedy when the renewed link is refused as well', async () => {
  const { download, storage, mood, refused } = await bundlesApp({ size: 10_000 })
  mood.answer = { status: 403 }
  const response = await download()
  expect(response.status).toBe(502)
  expect(await refused(response)).toMatchObject({ code: 'upstream_refused' })
  expect(storage.mints()).toBe(2)
  expect(storage.requests).toHaveLength(2)
})

test('a download resumes where it stopped when the connection breaks and the link expires', async () => {
  const { download, storage, mood, recorded } = await bundlesApp()
  mood.cutAfter = [1_000_000, 500_000, 1]
  const response = await download()
  const body = response.body!.getReader()
  const first = await body.read()
  storage.kill()
  const chunks = [first.value!]
  for (let next = await body.read(); !next.done; next = await body.read()) chunks.push(next.value)
  const all = Buffer.concat(chunks)
  expect(all.length).toBe(3_000_000)
  expect(sha256(all)).toBe(sha256(mood.archive))
  expect(storage.mints()).toBe(2)
  expect(storage.requests.at(-1)?.headers['if-match']).toBe('"v1"')
  await expect.poll(() => recorded.sha256).toBe(sha256(mood.archive))
})

test.each([
  ['its ETag changed', (mood: { etag: string | null }) => void (mood.etag = '"v2"')],
  [
    'its ETag changed, and it does not look at If-Match',
    (mood: { etag: string | null; ignoresIfMatch: boolean }) =>
      void Object.assign(mood, { etag: '"v2"', ignoresIfMatch: true }),
  ],
  ['its size changed', (mood: { archive: Buffer }) => void (mood.archive = mood.archive.subarray(1))],
  ['it forgot its ETag', (mood: { etag: string | null }) => void (mood.etag = null)],
  ['it cannot resume', (mood: { ignoresRange: boolean }) => void (mood.ignoresRange = true)],
])('a bundle that is cut and then differs (%s) ends as a broken transfer, never as a mixture', async (_, change) => {
  const { download, mood, recorded } = await bundlesApp()
  mood.cutAfter = [1_000_000]
  const original = mood.archive
  const response = await download()
  const body = response.body!.getReader()
  const chunks = [(await body.read()).value!]
  change(mood)
  await expect(
    (async () => {
      for (let next = await body.read(); !next.done; next = await body.read()) chunks.push(next.value)
    })(),
  ).rejects.toThrow()
  const got = Buffer.concat(chunks)
  expect(got.equals(original.subarray(0, got.length))).toBe(true)
  expect(recorded).toEqual({})
})

test('a download is resumed by Last-Modified when the storage sends no ETag, and not resumed without either', async () => {
  const { download, mood } = await bundlesApp()
  mood.etag = null
  mood.lastModified = 'Fri, 01 May 2026 10:00:00 GMT'
  mood.cutAfter = [1_000_000]
  const dated = await download()
  expect(dated.headers.get('etag')).not.toBeNull()
  expect(sha256(await readBytes(dated))).toBe(sha256(mood.archive))
  mood.lastModified = null
  mood.cutAfter = [1_000_000]
  const nameless = await download()
  expect(nameless.headers.get('etag')).toBeNull()
  await expect(nameless.arrayBuffer()).rejects.toThrow()
})

test('a download fails when the storage breaks off every time', async () => {
  const { download, mood, storage } = await bundlesApp()
  mood.cutAfter = [100_000, 0, 0, 0, 0, 0, 0, 0]
  await expect((await download()).arrayBuffer()).rejects.toThrow()
  expect(storage.requests.length).toBeLessThan(8)
})

test.each([
  ['bytes=0-99', 0, 100],
  ['bytes=2999999-', 2_999_999, 3_000_000],
  ['bytes=1000-1999', 1000, 2000],
  ['bytes=-500', 2_999_500, 3_000_000],
  ['bytes=2999000-9999999', 2_999_000, 3_000_000],
])('the range %s returns the requested part', async (range, from, end) => {
  const { download, mood, recorded } = await bundlesApp()
  const response = await download({ range })
  expect(response.status).toBe(206)
  expect(response.headers.get('content-range')).toBe(`bytes ${from}-${end - 1}/3000000`)
  expect((await readBytes(response)).equals(mood.archive.subarray(from, end))).toBe(true)
  expect(recorded).toEqual({})
})

test('the download of a part is resumed after a broken connection', async () => {
  const { download, post, mood } = await bundlesApp()
  await post('bundle/prepare')
  mood.cutAfter = [10_000]
  const response = await download({ range: 'bytes=1000000-1999999' })
  expect((await readBytes(response)).equals(mood.archive.subarray(1_000_000, 2_000_000))).toBe(true)
})

test('a range beyond the end gets 416 with the size; several ranges or an invalid range get the whole bundle', async () => {
  const { download } = await bundlesApp({ size: 10_000 })
  const beyond = await download({ range: 'bytes=10000-' })
  expect(beyond.status).toBe(416)
  expect(beyond.headers.get('content-range')).toBe('bytes */10000')
  for (const range of ['bytes=0-1,5-6', 'bytes=a-b', 'lines=1-2', 'bytes=-', 'bytes=1-2\u00a0']) {
    const response = await download({ range })
    expect(response.status).toBe(200)
    expect((await readBytes(response)).length).toBe(10_000)
  }
})

test('If-Range resumes an unchanged bundle and restarts a changed one', async () => {
  const { download, mood } = await bundlesApp({ size: 10_000 })
  const first = await download()
  const etag = first.headers.get('etag')!
  await readBytes(first)
  const same = await download({ range: 'bytes=100-199', 'if-range': etag })
  expect(same.status).toBe(206)
  await readBytes(same)
  mood.etag = '"v2"'
  const other = await download({ range: 'bytes=100-199', 'if-range': etag })
  expect(other.status).toBe(200)
  expect((await readBytes(other)).length).toBe(10_000)
  const dated = await download({ range: 'bytes=100-199', 'if-range': 'Fri, 01 May 2026 10:00:00 GMT' })
  expect(dated.status).toBe(200)
  await readBytes(dated)
})

test('the size that the service announces never blocks a bundle, and never counts as its size', async () => {
  for (const chunked of [false, true])
    for (const sizeBytes of [null, 0, 2_999_999, 3_000_001, 20_000_000]) {
      const { download, mood, recorded } = await bundlesApp()
      Object.assign(mood, { sizeBytes, chunked })
      const response = await download()
      expect(response.headers.get('content-length')).toBe(chunked ? null : '3000000')
      expect(sha256(await readBytes(response))).toBe(sha256(mood.archive))
      await expect.poll(() => recorded.sizeBytes).toBe(3_000_000)
    }
})

test('a storage that sends the size of a part only is read', async () => {
  const { download, post, mood } = await bundlesApp()
  mood.hidesTotal = true
  expect((await post('bundle/prepare')).status).toBe(200)
  const part = await download({ range: 'bytes=100-199' })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 100-199/*'])
  expect((await readBytes(part)).equals(mood.archive.subarray(100, 200))).toBe(true)
})

test('a bundle that the service is still making is asked for again within the click', async () => {
  const { download, mood, storage } = await bundlesApp({ pausesMs: [1, 1] })
  mood.notReady = 2
  expect((await readBytes(await download())).length).toBe(3_000_000)
  expect(storage.mints()).toBe(3)
  const never = await bundlesApp({ pausesMs: [1, 1] })
  never.mood.notReady = 9
  const response = await never.download()
  expect([response.status, await response.json()]).toMatchObject([
    409,
    { message: expect.stringContaining('“Bundle generation in progress”') as string },
  ])
  expect(never.storage.mints()).toBe(3)
})

test('the request to the storage ends when the client disconnects', async () => {
  const { download, storage, recorded } = await bundlesApp({ size: 64_000_000 })
  const client = new AbortController()
  const response = await download({}, { signal: client.signal })
  await response.body!.getReader().read()
  client.abort()
  await expect.poll(() => storage.aborted()).toBe(1)
  expect(recorded).toEqual({})
})

test('a client that does not read slows down the transfer from the storage', async () => {
  const { download, storage } = await bundlesApp({ size: 64_000_000 })
  const response = await download()
  let before = -1
  // Once nothing moves any more, all buffers on the way are full.
  await expect.poll(() => before === (before = storage.accepted()), { interval: 200 }).toBe(true)
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThan(40_000_000)
  await response.body!.cancel()
})

test.each([
  [301, 'upstream_unexpected'],
  [302, 'upstream_unexpected'],
  [307, 'upstream_unexpected'],
  [500, 'upstream_unavailable'],
  [503, 'upstream_unavailable'],
  [418, 'upstream_refused'],
  [206, 'upstream_unexpected'],
])('status %i of the storage becomes %s, and no redirect to another origin is followed', async (status, code) => {
  const { download, mood, refused, storage } = await bundlesApp({ size: 10_000 })
  const elsewhere = await storageStandIn(10)
  onTestFinished(elsewhere.close)
  mood.answer = { status, headers: { location: `${elsewhere.url}/bundle` } }
  expect(await refused(await download())).toMatchObject({ code })
  expect(storage.requests).toHaveLength(1)
  expect(elsewhere.heard).toEqual([])
})

test('the link appears in no log line, error or header, whatever fails', async () => {
  const { download, post, mood, storage, logged, request } = await bundlesApp()
  const texts: string[] = []
  const look = async (response: Response) => {
    texts.push(JSON.stringify([...response.headers]), (await response.text().catch(String)).slice(0, 2000))
  }
  mood.cutAfter = [1000, 1000]
  await look(await download())
  mood.sizeBytes = 1
  storage.kill()
  await look(await download())
  await look(await post('bundle/prepare'))
  for (const status of [403, 302, 500, 418]) {
    mood.answer = { status, headers: { location: `http://127.0.0.1/?sig=${canary}` } }
    await look(await download())
  }
  mood.answer = null
  mood.linkTo = `http://127.0.0.1:1/bundle?sig=${canary}`
  mood.deadStatus = 403
  storage.kill()
  await look(await download())
  for (const link of [`https://10.0.0.1/x?sig=${canary}`, `https://u:${canary}@example.com/`, `ftp://x/?${canary}`]) {
    mood.linkTo = link
    clearLinks(mood)
    await look(await download())
    await look(await post('bundle/prepare'))
  }
  await look(await request(`${runningId}/download`))
  await look(await request(`${exportId}/download`, { method: 'HEAD' }))
  expect(logged()).not.toBe('')
  expect([logged(), ...texts].filter((text) => text.includes(canary))).toEqual([])
})

const clearLinks = (mood: { expiresAt: string | null }) => void (mood.expiresAt = new Date(0).toISOString())
