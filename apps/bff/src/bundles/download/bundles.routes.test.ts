import { BundleLink, PreparedBundle } from '@docket/api-types/bundles'
import { expect, test } from 'vitest'
import { bundlesApp, exportId, runningId } from './testing/bundles-app.ts'
import { canary } from './testing/storage.ts'

test('only a completed export has a bundle', async () => {
  const { request, refused, storage } = await bundlesApp()
  for (const [path, method] of [
    ['download', 'GET'],
    ['bundle', 'POST'],
    ['bundle/prepare', 'POST'],
  ] as const) {
    const response = await request(`${runningId}/${path}`, { method })
    expect(response.status).toBe(409)
    expect(await refused(response)).toMatchObject({ code: 'conflict' })
    expect((await request(`00000000-0000-4000-8000-000000000000/${path}`, { method })).status).toBe(404)
    expect((await request(`nonsense/${path}`, { method })).status).toBe(400)
  }
  expect(storage.mints()).toBe(0)
})

test('copying the link makes a new link each time, and returns the size of the bundle and the expiry of the link', async () => {
  const { post, mood, storage } = await bundlesApp()
  mood.expiresAt = '2030-01-01T00:00:00.000Z'
  const first = BundleLink.parse(await (await post('bundle')).json())
  expect(first).toMatchObject({ sizeBytes: 3_000_000, expiresAt: '2030-01-01T00:00:00.000Z' })
  expect(first.bundleUrl).toContain(canary)
  const second = BundleLink.parse(await (await post('bundle')).json())
  expect(second.bundleUrl).not.toBe(first.bundleUrl)
  expect(storage.mints()).toBe(2)
})

test('prepare checks the first bytes, and takes the size from the service or else from the storage', async () => {
  for (const sizeBytes of [3_000_000, null]) {
    const { post, mood, storage, recorded } = await bundlesApp()
    mood.sizeBytes = sizeBytes
    const prepared = PreparedBundle.parse(await (await post('bundle/prepare')).json())
    expect(prepared).toEqual({ sizeBytes: 3_000_000, fileName: 'docs.example.com-2026-05-01.tar.gz' })
    expect(recorded).toEqual({ sizeBytes: 3_000_000 })
    expect(storage.requests.map(({ range }) => range)).toEqual(['bytes=0-4095'])
    expect(storage.mints()).toBe(1)
  }
})

test('HEAD returns the known headers without making a link', async () => {
  const { request, post, storage } = await bundlesApp()
  const head = () => request(`${exportId}/download`, { method: 'HEAD' })
  const before = await head()
  expect(before.status).toBe(200)
  expect(before.headers.get('content-length')).toBeNull()
  expect(before.headers.get('content-disposition')).toContain('"docs.example.com-2026-05-01"')
  expect(before.headers.get('content-type')).toBe('application/octet-stream')
  expect(storage.mints()).toBe(0)
  await post('bundle/prepare')
  const after = await head()
  expect(after.headers.get('content-length')).toBe('3000000')
  expect(after.headers.get('content-disposition')).toContain('"docs.example.com-2026-05-01.tar.gz"')
  expect(after.headers.get('content-type')).toBe('application/gzip')
})

test('delivery by redirect sends the browser to the link, and forbids caching the redirect', async () => {
  const { download, storage, post } = await bundlesApp({ delivery: 'redirect' })
  const response = await download()
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toContain(canary)
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect((await fetch(response.headers.get('location')!)).status).toBe(200)
  await post('bundle/prepare')
  expect(storage.mints()).toBe(1)
  expect(storage.requests).toHaveLength(1)
})

test('a failure of the service to make a link is passed on', async () => {
  const { download, refused, mood } = await bundlesApp()
  mood.linkTo = 'not a link'
  expect(await refused(await download())).toMatchObject({ code: 'upstream_unexpected' })
})
