import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createDiskStorage } from '@docket/artifact-store/local-disk/disk-storage'
import { expect, test } from 'vitest'
import { openPromise } from 'yauzl'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { readZipDirectory } from './zip-content.ts'
import { createCentralHeader, createEndRecord } from './zip-format.ts'
import { createZip } from './zip-writer.ts'

async function* inPieces(content: Buffer) {
  for (let at = 0; at < content.length; at += 10_000) yield content.subarray(at, at + 10_000)
}

const writeZip = async (files: Readonly<Record<string, Buffer>>, pieces = false) => {
  const file = join(await temporaryFolder(), 'site.zip')
  const zip = await createZip(file)
  for (const [path, content] of Object.entries(files)) await zip.add(path, pieces ? inPieces(content) : content)
  await zip.end()
  await zip.close()
  return file
}

const files = {
  'index.html': Buffer.from('<p>words</p>'.repeat(30_000)),
  'größe/日本.txt': Buffer.from('x'),
  'logo.png': Buffer.from('y'.repeat(25_000)),
  empty: Buffer.alloc(0),
}

test.each([false, true])('another zip reader finds every file with its bytes (in pieces: %s)', async (pieces) => {
  const zip = await openPromise(await writeZip(files, pieces))
  const found: Record<string, Buffer> = {}
  for await (const entry of zip.eachEntry())
    found[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry))
  expect(found).toEqual(files)
})

test('the same files give the same archive, and already compressed types are stored uncompressed', async () => {
  const [one, other] = await Promise.all([writeZip(files), writeZip(files)])
  expect((await readFile(one)).equals(await readFile(other))).toBe(true)
  expect((await readFile(one)).includes('y'.repeat(25_000))).toBe(true)
  expect((await stat(one)).size).toBeLessThan(28_000)
})

test('more than 65,535 files are written and found (ZIP64)', async () => {
  const folder = await temporaryFolder()
  const zip = await createZip(join(folder, 'site.zip'))
  const count = 66_000
  for (let n = 0; n < count; n += 1) await zip.add(`${n}.png`, Buffer.from(String(n)))
  await zip.end()
  await zip.close()
  const entries = (await readZipDirectory(createDiskStorage(folder), 'site.zip'))!
  expect(entries.size).toBe(count)
  expect(entries.get('65999.png')).toMatchObject({ sizeBytes: 5, isStored: true })
})

test('an entry beyond 4 GiB has a correct offset (ZIP64)', async () => {
  const { fromBufferPromise } = await import('yauzl')
  const record = {
    path: Buffer.from('far'),
    offset: 5_000_000_000,
    isStored: true,
    crc32: 1,
    sizeBytes: 0,
    compressedBytes: 0,
  }
  const header = createCentralHeader(record)
  const zip = await fromBufferPromise(
    Buffer.concat([header, createEndRecord({ entries: 1, start: 0, end: header.length })]),
  )
  for await (const entry of zip.eachEntry()) expect(entry.relativeOffsetOfLocalHeader).toBe(5_000_000_000)
  expect(zip.entriesRead).toBe(1)
})
