import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { placeSite } from '#mounted-site.ts'
import { fileContract, type OpenedFiles } from '#testing/file-contract.ts'
import { targetContract, unwatched } from '#testing/target-contract.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { builtSite, testSite } from '#testing/test-site.ts'
import { openFolderTarget } from './folder.ts'

const open = async (_umask?: number, mode = 0o755): Promise<OpenedFiles & { folder: string }> => {
  const folder = await temporaryFolder()
  await chmod(folder, mode)
  const place = (path: string) => join(folder, 'current', path)
  return {
    folder,
    root: folder,
    served: join(folder, 'current'),
    target: await openFolderTarget({ path: folder, keep: 1, within: [dirname(folder)] }),
    read: (path) => readFile(place(path), 'utf8').catch(() => null),
    meddle: (path, content) => (content === null ? rm(place(path)) : writeFile(place(path), content)),
    ownsFolder: true,
  }
}

targetContract('folder', open, 'whole')
fileContract('folder', open)

test('folder: the link is replaced atomically, and the configured number of earlier bundles is kept', async () => {
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

test('folder: a release that is not in the list of deliveries is never removed', async () => {
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

test('folder: an unprivileged user can read the site, whatever the umask of Docket', async ({ skip }) => {
  if (process.getuid?.() !== 0) skip('only root can become another user')
  const { target, folder } = await open()
  const before = process.umask(0o077)
  onTestFinished(() => void process.umask(before))
  await target.deliver(builtSite('one'), unwatched())
  const nobody = { uid: 65_534, gid: 65_534, encoding: 'utf8', stdio: 'pipe' } as const
  const read = (path: string) => execFileSync('cat', [join(folder, 'current', path)], nobody)
  expect(read('index.html')).toContain('app-one.js')
  expect(read('guide/page-1/index.html')).toContain('app-one.js')
  expect(() => execFileSync('touch', [join(folder, 'current/style.css')], nobody)).toThrow('Permission denied')
})

const nginx = '/usr/sbin/nginx'

test.runIf(existsSync(nginx))('folder: nginx as another user serves a site at its path', async () => {
  const { target, folder } = await open()
  const files = { 'index.html': 'home', '404.html': 'none', 'guide/index.html': 'guide', '_docket/site.css': 'style' }
  await target.deliver(placeSite(testSite(files), 'proj/'), unwatched())
  const own = await temporaryFolder()
  const socket = join(own, 'socket')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${own}/${name};`,
  )
  const server = `server { listen unix:${socket}; root ${folder}/current; error_page 404 /404.html; }`
  const user = process.getuid?.() === 0 ? 'user www-data;' : ''
  const configuration = `${user} daemon off; pid ${own}/pid; error_log ${own}/log; events {} http { access_log off; ${temporary.join(' ')} ${server} }`
  await writeFile(join(own, 'nginx.conf'), configuration)
  const child = spawn(nginx, ['-c', join(own, 'nginx.conf'), '-e', join(own, 'log')], { stdio: 'ignore' })
  onTestFinished(() => void child.kill())
  const ask = (path: string) =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      const request = get({ socketPath: socket, path }, async (response) =>
        resolve([response.statusCode, await text(response)]),
      )
      request.on('error', reject)
    })
  await expect.poll(() => ask('/').catch(() => null)).toEqual([200, expect.stringContaining('url=proj/')])
  expect(await ask('/proj/')).toEqual([200, 'home'])
  expect(await ask('/proj/guide/')).toEqual([200, 'guide'])
  expect(await ask('/proj/_docket/site.css')).toEqual([200, 'style'])
  expect(await ask('/proj/nowhere')).toEqual([404, 'none'])
})

test('folder: a folder replaced by a link during a write never causes a write outside the target', async ({ skip }) => {
  if (!existsSync('/proc/self/fd')) skip('only Linux names open folders')
  const { target, folder } = await open()
  const outside = await temporaryFolder()
  const site = builtSite('one')
  const partial = join(folder, 'releases', `.docket-partial-${site.sum}`)
  let isSwapped = false
  const swap = async () => {
    if (isSwapped) return
    isSwapped = true
    await mkdir(join(partial, 'guide/page-1'), { recursive: true })
    await rename(join(partial, 'guide'), join(partial, 'guide-before'))
    await symlink(outside, join(partial, 'guide'))
    await rename(join(folder, 'releases'), join(folder, 'releases-before'))
    await symlink(outside, join(folder, 'releases'))
  }
  async function* readSlowly(path: string) {
    for await (const chunk of await site.open(path)) {
      if (path === 'guide/page-1/index.html') await swap()
      yield chunk as Buffer
    }
  }
  const slow = { ...site, open: (path: string) => Promise.resolve(Readable.from(readSlowly(path))) }
  await expect(target.deliver(slow, unwatched())).rejects.toThrow('is a link')
  expect(isSwapped).toBe(true)
  expect(await readdir(outside)).toEqual([])
})

test('folder: a file or folder named current that Docket did not create is not changed', async () => {
  const { target, folder } = await open()
  await mkdir(join(folder, 'current'))
  await expect(target.deliver(builtSite('one'), unwatched())).rejects.toThrow('that Docket did not make')
  expect(await readdir(folder)).toEqual(['current'])
})

test('folder: a target must be in a folder that the settings list, with links resolved', async () => {
  const [allowed, other] = [await temporaryFolder(), await temporaryFolder()]
  await symlink(other, join(allowed, 'link'))
  for (const path of [other, join(allowed, 'link'), '/missing', `${allowed}/../${other.split('/').at(-1)}`])
    await expect(openFolderTarget({ path, keep: 1, within: [allowed] })).rejects.toThrow('TARGET_FOLDERS')
  const missing = openFolderTarget({ path: join(allowed, 'missing'), keep: 1, within: [allowed] })
  await expect(missing).rejects.toThrow('does not exist')
  await expect(openFolderTarget({ path: other, keep: 1, within: [] })).rejects.toThrow('TARGET_FOLDERS')
})
