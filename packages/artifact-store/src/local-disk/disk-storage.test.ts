import { execFileSync } from 'node:child_process'
import { mkdir, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { StorageFailed, StorageFull } from '#object-storage.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createDiskStorage } from './disk-storage.ts'

const openFolder = async () => {
  const folder = join(await temporaryFolder(), 'artifacts')
  return { folder, storage: createDiskStorage(folder) }
}

const writeBundle = async (content: string | Uint8Array) => {
  const file = join(await temporaryFolder(), 'bundle')
  await writeFile(file, content)
  return file
}

test('a linked file and its object share the same bytes on disk', async () => {
  const { folder, storage } = await openFolder()
  const file = await writeBundle('shared')
  // The second time, file and object are the same already.
  for (let n = 0; n < 2; n += 1) await storage.put('sha256/a/bundle', file, { link: true })
  const [source, object] = await Promise.all([stat(file), stat(join(folder, 'sha256/a/bundle'))])
  expect([object.ino, object.nlink]).toEqual([source.ino, 2])
  expect(await readdir(join(folder, '.unfinished'))).toEqual([])
})

test('old leftovers of a crash are removed, and removing an object leaves no empty folders', async () => {
  const { folder, storage } = await openFolder()
  await storage.put('sha256/a/bundle', await writeBundle('content'))
  await storage.remove('sha256/a/bundle')
  expect(await readdir(folder)).toEqual([])
  await mkdir(join(folder, '.unfinished'))
  await writeFile(join(folder, '.unfinished', 'old'), 'half')
  // Copies keep the times of their files, so these do not count.
  await utimes(join(folder, '.unfinished', 'old'), 0, 0)
  expect(await storage.removeUnfinished('', new Date(Date.now() - 60_000))).toBe(0)
  expect(await storage.removeUnfinished('', new Date(Date.now() + 60_000))).toBe(1)
  expect(await readdir(join(folder, '.unfinished'))).toEqual([])
})

test('concurrent writes and removals in the same folder lose no object', async () => {
  const { storage } = await openFolder()
  const repeat = async (name: string) => {
    for (let n = 0; n < 25; n += 1) {
      await storage.put(`same/folder/${name}`, await writeBundle(name))
      expect(await storage.readSize(`same/folder/${name}`)).toBe(name.length)
      await storage.remove(`same/folder/${name}`)
    }
  }
  await Promise.all(['a', 'b', 'c', 'd'].map(repeat))
})

test('reading a file that is truncated meanwhile fails instead of ending early', async () => {
  const { folder, storage } = await openFolder()
  await storage.put('a', await writeBundle(Buffer.alloc(3_000_000)))
  const content = (await storage.read('a'))!
  await truncate(join(folder, 'a'), 1_000_000)
  await expect(buffer(content)).rejects.toThrow(StorageFailed)
})

test('an unreadable disk is reported as a failure, never as a missing object', async () => {
  const { folder, storage } = await openFolder()
  await mkdir(join(folder, '..'), { recursive: true })
  // A loop of links stands for a disk that does not answer.
  execFileSync('ln', ['-s', folder, folder])
  for (const work of [
    () => storage.readSize('a'),
    () => storage.read('a'),
    () => storage.readMarker(),
    () => storage.check(),
  ])
    await expect(work()).rejects.toThrow(StorageFailed)
  const listAll = async () => {
    for await (const object of storage.list('')) expect(object).toBeUndefined()
  }
  await expect(listAll()).rejects.toThrow(StorageFailed)
})

test('each storage folder has its own marker, and a damaged marker is a failure', async () => {
  const [one, other] = [await openFolder(), await openFolder()]
  expect(await one.storage.readMarker()).toBeNull()
  expect(await one.storage.ensureMarker()).not.toBe(await other.storage.ensureMarker())
  await writeFile(join(one.folder, '.docket-storage'), '')
  await expect(one.storage.ensureMarker()).rejects.toThrow(StorageFailed)
})

/** A file system of 1 MB; null where this process may not mount one. */
const mountSmallDisk = async () => {
  const folder = await temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'docket-test', folder], { stdio: 'ignore' })
  } catch {
    return null
  }
  onTestFinished(async () => {
    execFileSync('umount', [folder])
    await rm(folder, { recursive: true, force: true })
  })
  return folder
}

test('a put on a full disk fails with that reason, keeps the source file and leaves no partial object', async ({
  skip,
}) => {
  const folder = await mountSmallDisk()
  if (folder === null) return skip('this process may not mount a small disk')
  const storage = createDiskStorage(folder)
  const file = await writeBundle(Buffer.alloc(2_000_000, 1))
  await expect(storage.put('a', file, { link: true })).rejects.toThrow(StorageFull)
  await expect(storage.put('a', file)).rejects.toThrow('The storage folder did not keep the bundle: its disk is full.')
  expect((await stat(file)).size).toBe(2_000_000)
  expect(await storage.readSize('a')).toBeNull()
  expect(await readdir(join(folder, '.unfinished'))).toEqual([])
  expect((await storage.check()).freeBytes).toBeGreaterThan(500_000)
})
