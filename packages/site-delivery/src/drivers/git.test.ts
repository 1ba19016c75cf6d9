import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createDeflate } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { hasSshServer, startSshServer } from '#testing/ssh-server.ts'
import { targetContract, unwatched } from '#testing/target-contract.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { builtSite, testSite } from '#testing/test-site.ts'
import { createGitTarget, type GitTargetOptions } from './git.ts'

const person = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.com']
const git = async (cwd: string, ...args: string[]) =>
  (await promisify(execFile)('git', [...person, ...args], { cwd, encoding: 'utf8' })).stdout

const open = async (options: Partial<GitTargetOptions> = {}) => {
  const folder = await temporaryFolder()
  const repository = join(folder, 'site.git')
  await git(folder, 'init', '--quiet', '--bare', '--initial-branch=pages', repository)
  const clone = join(folder, 'clone')
  const workFolder = join(folder, 'work')
  const place = options.folder === undefined ? '' : `${options.folder}/`
  const target = createGitTarget({
    url: repository,
    branch: 'pages',
    folder: '',
    credential: null,
    machine: { repositories: [repository], folders: [] },
    workFolder,
    ...options,
  })
  return {
    target,
    repository,
    workFolder,
    read: (path: string) => git(repository, 'cat-file', 'blob', `pages:${place}${path}`).catch(() => null),
    meddle: async (path: string, content: string | null) => {
      await rm(clone, { recursive: true, force: true })
      await git(folder, 'clone', '--quiet', repository, clone)
      await git(clone, 'checkout', '--quiet', '-B', 'pages')
      const file = join(clone, place, path)
      await mkdir(dirname(file), { recursive: true })
      if (content === null) await rm(file)
      else await writeFile(file, content)
      await git(clone, 'add', '--all')
      await git(clone, 'commit', '--quiet', '--message', `Change ${path}`)
      await git(clone, 'push', '--quiet', 'origin', 'pages')
    },
    ownsFolder: false,
  }
}

targetContract('git', () => open({ folder: 'docs' }), 'whole')

test('git: each new bundle is one commit, the same bundle adds none, and commits by others are kept', async () => {
  const { target, repository, meddle, read, workFolder } = await open()
  await meddle('CNAME', 'docs.example.com')
  const site = builtSite('one')
  await target.deliver(site, unwatched())
  await target.deliver(site, unwatched())
  await meddle('README', 'ours')
  await target.deliver(builtSite('two'), unwatched())
  const subjects = (await git(repository, 'log', '--format=%s', 'pages')).trim().split('\n').toReversed()
  expect(subjects.map((subject) => subject.split(' ')[0])).toEqual(['Change', 'Deliver', 'Change', 'Deliver'])
  expect([await read('CNAME'), await read('README')]).toEqual(['docs.example.com', 'ours'])
  expect(await readdir(workFolder)).toEqual([])
})

test('git: GitHub Pages gets every folder of a site: the first delivery adds .nojekyll, and none removes it', async () => {
  for (const folder of ['', 'docs']) {
    const { target, repository, meddle, read } = await open(folder === '' ? {} : { folder })
    const list = async () => (await git(repository, 'ls-tree', '-r', '--name-only', 'pages')).trim().split('\n')
    const mark = folder === '' ? '.nojekyll' : `${folder}/.nojekyll`
    const plain = testSite({ 'index.html': 'home', 'a_b/c_': 'no such name', 'vendor/x.js': 'x' })
    await target.deliver(plain, unwatched())
    expect(await list()).not.toContain(mark)
    const site = testSite({ 'index.html': 'home', '_docket/site.css': 'style' })
    const { signal } = new AbortController()
    expect((await target.plan(site, signal)).added).toEqual(['.nojekyll', '_docket/site.css'])
    expect(await target.deliver(site, unwatched())).toMatchObject({ added: ['.nojekyll', '_docket/site.css'] })
    expect([await read('.nojekyll'), await list()]).toEqual(['', expect.arrayContaining([mark])])
    expect(await target.verify(site, unwatched())).toEqual({ missing: [], changed: [] })
    expect(await target.plan(site, signal)).toMatchObject({ added: [], changed: [], removed: [] })
    await target.deliver(plain, unwatched())
    expect(await list()).toContain(mark)
    await target.deliver(testSite({ 'index.html': 'home', '.nojekyll': 'ours' }), unwatched())
    expect(await read('.nojekyll')).toBe('ours')
    expect((await target.deliver(site, unwatched())).removed).toEqual([])
    await meddle('.nojekyll', null)
    await target.deliver(testSite({ 'index.html': 'home', 'guide/_next/x.js': 'x' }), unwatched())
    expect(await read('.nojekyll')).toBe('')
  }
})

test('git: a CNAME in the branch stays, and that of a bundle replaces it', async () => {
  const { target, meddle, read } = await open()
  const [plain, named] = [builtSite('one'), testSite({ 'index.html': 'home', CNAME: 'new.example.com' })]
  await meddle('CNAME', 'docs.example.com')
  await target.deliver(plain, unwatched())
  expect(await read('CNAME')).toBe('docs.example.com')
  await target.deliver(named, unwatched())
  expect(await read('CNAME')).toBe('new.example.com')
  expect((await target.deliver(plain, unwatched())).removed).toEqual([])
  expect(await read('CNAME')).toBe('new.example.com')
})

test('git: a commit that others push during a delivery is never lost', async () => {
  const { target, meddle, read } = await open()
  await target.deliver(builtSite('one'), unwatched())
  let pushed: Promise<void> | undefined
  const slow = builtSite('two')
  const site = {
    ...slow,
    open: async (path: string) => {
      await (pushed ??= meddle('NEWS', 'pushed meanwhile'))
      return slow.open(path)
    },
  }
  await target.deliver(site, unwatched())
  expect([await read('NEWS'), await read('app-two.js')]).toEqual(['pushed meanwhile', `console.log('two')`])
})

test('git: an address of an unlisted place on this machine, or of nothing, is refused with a readable message', async () => {
  const { target } = await open({ url: '/etc' })
  await expect(target.check(new AbortController().signal)).rejects.toThrow('TARGET_REPOSITORIES')
  for (const url of ['file:///etc', 'http://git.example.com/x.git', '--upload-pack=touch', 'ext::sh -c id'])
    await expect((await open({ url })).target.check(new AbortController().signal)).rejects.toThrow(
      'begins with https://',
    )
})

/** Says that its branch has a file without an end, and sends it until nobody listens. */
const endlessRemote = async () => {
  const commit = 'a'.repeat(40)
  const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text
  const refs = `${line('# service=git-upload-pack\n')}0000${line(`${commit} refs/heads/pages\0shallow\n`)}0000`
  const server = createServer(async (request, response) => {
    const isList = request.url?.includes('/info/refs') === true
    response.setHeader('content-type', `application/x-git-upload-pack-${isList ? 'advertisement' : 'result'}`)
    if (isList) return void response.end(refs)
    // One blob of 2 ** 47 bytes.
    const start = Buffer.from([0x50, 0x41, 0x43, 0x4b, 0, 0, 0, 2, 0, 0, 0, 1, 0xb0, ...Array(6).fill(0x80), 0x10])
    response.write(`${line(`shallow ${commit}`)}0000`)
    // Git asks for the history first, and then for the files.
    if (!(await text(request)).includes('done')) return void response.end()
    response.write(line('NAK\n'))
    response.write(start)
    const endless = Readable.from(repeat(randomBytes(64 * 1024)))
    pipeline(endless, createDeflate({ level: 0 }), response).catch(() => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/site.git`
}
function* repeat(chunk: Buffer) {
  for (;;) yield chunk
}

test('git: a branch larger than the limit is refused with a readable message, and none of it is kept', async () => {
  const maxBranchBytes = 1024 * 1024
  const { target, workFolder, meddle } = await open({ maxBranchBytes })
  await meddle('large.bin', randomBytes(2 * maxBranchBytes).toString('base64'))
  const endless = await open({ maxBranchBytes, url: await endlessRemote() })
  for (const one of [{ target, workFolder }, endless]) {
    await expect(one.target.check(new AbortController().signal)).rejects.toThrow('more than 1 MB of files')
    await expect(one.target.deliver(builtSite('one'), unwatched())).rejects.toThrow('more than 1 MB of files')
    expect(await readdir(one.workFolder)).toEqual([])
  }
})

test.runIf(hasSshServer)('git: over SSH, a server whose key differs from the pinned one receives nothing', async () => {
  const folder = await temporaryFolder()
  const server = await startSshServer(folder)
  try {
    const { repository } = await open()
    const url = `ssh://${server.login.user}@127.0.0.1:${server.port}${repository}`
    const { privateKey } = server.login
    const { target } = await open({ url, credential: { privateKey, hostKey: server.hostKey } })
    await target.deliver(builtSite('one'), unwatched())
    expect(await git(repository, 'cat-file', 'blob', 'pages:app-one.js')).toBe(`console.log('one')`)
    const other = server.hostKey.replace(/.{6}$/, 'AAAAAA')
    const { target: wrong } = await open({ url, credential: { privateKey, hostKey: other } })
    await expect(wrong.check(new AbortController().signal)).rejects.toThrow(/key|reached/i)
  } finally {
    server.stop()
  }
})
