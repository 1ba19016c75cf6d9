import { lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type OpenedTarget, targetContract, unwatched } from '#testing/target-contract.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { builtSite } from '#testing/test-site.ts'
import { folderTarget } from './folder.ts'

const open = async (): Promise<OpenedTarget & { folder: string }> => {
  const folder = await temporaryFolder()
  const place = (path: string) => join(folder, 'current', path)
  return {
    folder,
    target: await folderTarget({ path: folder, keep: 1, within: [dirname(folder)] }),
    read: (path) => readFile(place(path), 'utf8').catch(() => null),
    meddle: (path, content) => (content === null ? rm(place(path)) : writeFile(place(path), content)),
    ownsFolder: true,
  }
}

targetContract('folder', open, 'whole')

test('folder: the link is replaced in one step, and so many earlier bundles stay', async () => {
  const { target, folder } = await open()
  const sites = ['one', 'two', 'three'].map((build) => builtSite(build))
  for (const site of sites) await target.deliver(site, unwatched())
  expect(await readlink(join(folder, 'current'))).toBe(`releases/${sites[2]!.sum}`)
  const folders = (await readdir(join(folder, 'releases'))).filter((name) => !name.includes('.'))
  expect(folders.toSorted()).toEqual([sites[1]!.sum, sites[2]!.sum].toSorted())
  // Unchanged files are not stored twice.
  const logo = await lstat(join(folder, 'current', 'logo.png'))
  expect(logo.nlink).toBe(2)
})

test('folder: a release that the list of deliveries does not name is never removed', async () => {
  const { target, folder } = await open()
  const sites = ['one', 'two', 'three', 'four', 'five'].map((build) => builtSite(build))
  const place = (name: string) => join(folder, 'releases', name)
  await target.deliver(sites[0]!, unwatched())
  const foreign = 'f'.repeat(64)
  await mkdir(place(foreign))
  await target.deliver(sites[1]!, unwatched())
  // Somebody restored the target without it, or with an older one.
  await rm(place('.docket.json'))
  await target.deliver(sites[2]!, unwatched())
  const names = async () => (await readdir(join(folder, 'releases'))).filter((name) => !name.includes('.'))
  expect(new Set(await names())).toEqual(new Set([foreign, ...sites.slice(0, 3).map(({ sum }) => sum)]))
  for (const site of sites.slice(3)) await target.deliver(site, unwatched())
  expect(new Set(await names())).toEqual(new Set([foreign, sites[0]!.sum, sites[3]!.sum, sites[4]!.sum]))
})

test('folder: something named current that Docket did not make is left alone', async () => {
  const { target, folder } = await open()
  await mkdir(join(folder, 'current'))
  await expect(target.deliver(builtSite('one'), unwatched())).rejects.toThrow('that Docket did not make')
  expect(await readdir(folder)).toEqual(['current'])
})

test('folder: a target stays within the folders that the settings name, links resolved', async () => {
  const [allowed, other] = [await temporaryFolder(), await temporaryFolder()]
  await symlink(other, join(allowed, 'link'))
  for (const path of [other, join(allowed, 'link'), '/missing', `${allowed}/../${other.split('/').at(-1)}`])
    await expect(folderTarget({ path, keep: 1, within: [allowed] })).rejects.toThrow('TARGET_FOLDERS')
  const missing = folderTarget({ path: join(allowed, 'missing'), keep: 1, within: [allowed] })
  await expect(missing).rejects.toThrow('does not exist')
  await expect(folderTarget({ path: other, keep: 1, within: [] })).rejects.toThrow('TARGET_FOLDERS')
})
