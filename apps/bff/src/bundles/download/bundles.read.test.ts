import { expect, test } from 'vitest'
import { bundlesApp, exportId } from './testing/bundles-app.ts'

const { signal } = new AbortController()
const collect = async ({ bytes, sizeBytes }: { bytes: AsyncIterable<Uint8Array>; sizeBytes: number | null }) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return { sizeBytes, bytes: Buffer.concat(chunks) }
}

test('a bundle is read once, byte for byte, despite a broken connection or a missing size', async () => {
  for (const chunked of [false, true]) {
    const { service, mood, storage } = await bundlesApp()
    if (chunked) Object.assign(mood, { chunked, sizeBytes: null })
    else mood.cutAfter = [1_000_000, 500_000]
    const { bytes, sizeBytes } = await service.readWhole(exportId, signal, collect)
    expect(bytes.equals(mood.archive)).toBe(true)
    expect(sizeBytes).toBe(chunked ? null : 3_000_000)
    expect([storage.mints(), storage.requests.length]).toEqual(chunked ? [1, 1] : [1, 3])
  }
})

test('a reader that stops early, even before the first byte, ends the request to the storage', async () => {
  const { service, storage } = await bundlesApp({ size: 60_000_000 })
  await service.readWhole(exportId, signal, async ({ sizeBytes }) => expect(sizeBytes).toBe(60_000_000))
  await expect.poll(() => storage.aborted()).toBe(1)
  const full = service.readWhole(exportId, signal, async ({ bytes }) => {
    for await (const chunk of bytes) throw new Error(`The disk is full after ${chunk.length} bytes.`)
  })
  await expect(full).rejects.toThrow('The disk is full')
  await expect.poll(() => storage.aborted()).toBe(2)
})

test('a missing bundle, a storage that refuses and an aborted read are different errors', async () => {
  const { service, mood } = await bundlesApp()
  const read = (until = signal) => service.readWhole(exportId, until, collect)
  await expect(read(AbortSignal.abort(new Error('stopped')))).rejects.toThrow()
  mood.answer = { status: 403 }
  await expect(read()).rejects.toMatchObject({ code: 'upstream_refused' })
  mood.grantStatus = 404
  await expect(read()).rejects.toMatchObject({ name: 'AdminApiError', code: 'upstream_not_found' })
})
