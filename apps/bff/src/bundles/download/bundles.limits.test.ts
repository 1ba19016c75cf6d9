import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { bundlesApp, exportId, sha256 } from './testing/bundles-app.ts'

/** Asks for the bundle and then takes nothing, but keeps its connection. */
const stalledReader = (port: number) => {
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(`GET /api/static-exports/${exportId}/download HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  })
  socket.pause()
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
}

test('a stalled reader does not keep the connection to the storage, and can resume with Range', async () => {
  const { port, storage, download, mood, logged } = await bundlesApp({
    size: 60_000_000,
    limits: { stalledMs: 3_000, maxDownloads: 1 },
  })
  stalledReader(port)
  await expect.poll(() => storage.requests.length).toBe(1)
  await expect.poll(() => storage.aborted()).toBe(1)
  await expect.poll(logged).toContain('a download broke off')
  const rest = await download({ range: 'bytes=55000000-' })
  expect(rest.status).toBe(206)
  expect(sha256(Buffer.from(await rest.arrayBuffer()))).toBe(sha256(mood.archive.subarray(55_000_000)))
})

test('downloads beyond the limit get Retry-After, and a finished download frees its slot', async () => {
  const { download, refused, storage, request } = await bundlesApp({ size: 60_000_000, limits: { maxDownloads: 2 } })
  const readers = [new AbortController(), new AbortController()]
  await Promise.all(readers.map(({ signal }) => download({}, { signal })))
  const third = await download()
  expect([third.status, third.headers.get('retry-after')]).toEqual([503, '15'])
  expect(await refused(third)).toMatchObject({ code: 'busy' })
  expect(storage.requests).toHaveLength(2)
  // A question about the file takes no room.
  expect((await request(`${exportId}/download`, { method: 'HEAD' })).status).toBe(200)
  for (const reader of readers) reader.abort()
  await expect.poll(async () => (await download({ range: 'bytes=0-9' })).status).toBe(206)
})

test('a download that fails before its first byte frees its slot', async () => {
  const { download, mood } = await bundlesApp({ size: 1000, limits: { maxDownloads: 1 } })
  mood.answer = { status: 500 }
  expect((await download()).status).toBe(503)
  mood.answer = null
  expect((await download()).status).toBe(200)
})
