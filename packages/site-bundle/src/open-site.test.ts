import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createDiskStorage } from '@docket/artifact-store/local-disk/disk-storage'
import { StorageFailed } from '@docket/artifact-store/object-storage'
import { storeSite } from '#testing/store-site.ts'
import { openSite, SiteMissing } from './open-site.ts'

const page = `<title>Guide</title>${'words '.repeat(20_000)}`

const files = {
  'index.html': page,
  'guide/größe.html': 'short',
  'empty.css': '',
  'logo.png': randomBytes(70_000),
  'large.js': randomBytes(400_000).toString('hex'),
}

test('every file of a stored site can be read completely, in part and gzip-encoded', async () => {
  const { storage, sha256 } = await storeSite(files)
  const site = openSite(storage, sha256)
  expect(Object.keys(files).length).toBe((await site.manifest()).files.length)
  for (const [path, content] of Object.entries(files)) {
    const expected = Buffer.from(content)
    const found = (await site.find(path))!
    expect(found).toMatchObject({ path, sizeBytes: expected.length })
    expect((await buffer(await site.read(path))).equals(expected)).toBe(true)
    const encoded = await buffer(await site.readEncoded(path))
    expect([path, encoded.length]).toEqual([path, found.encodedBytes])
    expect((found.encoding === 'gzip' ? gunzipSync(encoded) : encoded).equals(expected)).toBe(true)
    if (expected.length < 10) continue
    for (const range of [
      { start: 0, end: 0 },
      { start: 3, end: 9 },
      { start: 1, end: expected.length - 1 },
    ])
      expect((await buffer(await site.read(path, range))).equals(expected.subarray(range.start, range.end + 1))).toBe(
        true,
      )
  }
  expect([(await site.find('index.html'))!.encoding, (await site.find('logo.png'))!.encoding]).toEqual([
    'gzip',
    'identity',
  ])
})

test('a path that is not in the bundle is not found, whatever its form', async () => {
  const { storage, sha256 } = await storeSite(files)
  const site = openSite(storage, sha256)
  for (const path of [
    '',
    '.',
    '../index.html',
    '/index.html',
    'guide',
    'guide/',
    'INDEX.html',
    '__proto__',
    'constructor',
  ])
    expect([path, await site.find(path)]).toEqual([path, null])
  await expect(site.read('../index.html')).rejects.toThrow(TypeError)
})

test('a site whose objects were removed is reported missing, and a damaged file is never sent as complete', async () => {
  const { folder, sha256 } = await storeSite(files)
  const place = (name: string) => join(folder, 'sha256', sha256, name)
  const whole = await readFile(place('site.zip'))
  /** A new storage knows nothing from before. */
  const opened = () => openSite(createDiskStorage(folder), sha256)
  const readAll = async () => {
    const site = opened()
    for (const path of Object.keys(files)) await text(await site.readEncoded(path))
    for (const path of Object.keys(files)) await text(await site.read(path))
  }
  await readAll()
  const changed = Buffer.from(whole)
  changed[whole.indexOf('logo.png') + 5_000]! ^= 1
  const misplaced = Buffer.from(whole)
  misplaced[0]! ^= 1
  for (const bytes of [
    changed,
    misplaced,
    whole.subarray(0, whole.length / 2),
    whole.subarray(1),
    randomBytes(whole.length),
  ]) {
    await writeFile(place('site.zip'), bytes)
    await expect(readAll()).rejects.toThrow(StorageFailed)
  }
  await rm(place('site.zip'))
  await expect(opened().find('index.html')).rejects.toThrow(SiteMissing)
  await writeFile(place('report.json.gz'), 'not gzip')
  await expect(opened().report()).rejects.toThrow(StorageFailed)
  await rm(place('manifest.json.gz'))
  await expect(opened().manifest()).rejects.toThrow(SiteMissing)
})
