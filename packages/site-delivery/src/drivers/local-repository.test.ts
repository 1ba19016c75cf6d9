import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { listRun, plantPrograms } from '@docket/sources/testing/planted-repository'
import { expect, onTestFinished, test } from 'vitest'
import { unwatched } from '#testing/target-contract.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { builtSite, testSite } from '#testing/test-site.ts'
import { createGitTarget } from './git.ts'
import { locateRepository } from './folder.ts'

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
const { signal } = new AbortController()

/** A repository on this machine, and a target that delivers to its branch `pages`. */
const openPlace = async (...init: string[]) => {
  const folder = await temporaryFolder()
  const [repository, marks] = [join(folder, 'site'), join(folder, 'marks')]
  await mkdir(marks)
  git('init', '--quiet', '--initial-branch=pages', ...init, repository)
  const workFolder = join(folder, 'work')
  const machine = { repositories: [repository], folders: [] }
  const target = createGitTarget({
    url: repository,
    branch: 'pages',
    folder: '',
    credential: null,
    machine,
    workFolder,
  })
  return { folder, repository, marks, target }
}

test('delivering to a repository on this machine runs no program that its files name', async () => {
  const { repository, marks, target } = await openPlace('--bare')
  plantPrograms(repository, marks)
  await target.check(signal)
  await target.deliver(builtSite('one'), unwatched())
  await target.deliver(builtSite('two'), unwatched())
  await target.verify(builtSite('two'), unwatched())
  expect(listRun(marks)).toEqual([])
  expect(git('--git-dir', repository, 'rev-list', '--count', 'pages')).toBe('2')
})

test('a delivery never changes a checkout or runs its filters, whatever the repository’s settings', async () => {
  const { repository, marks, target } = await openPlace()
  plantPrograms(join(repository, '.git'), marks)
  const site = testSite({ 'index.html': 'home', '.gitattributes': '* filter=evil\n' })
  await expect(target.deliver(site, unwatched())).rejects.toThrow('has this branch checked out')
  expect([listRun(marks), await readdir(repository)]).toEqual([[], ['.git']])
})

test.each([
  ['everybody', 0o755, [], 0o044, 0o022],
  ['its group', 0o750, [], 0o040, 0o027],
  ['its owner', 0o700, [], 0o400, 0o077],
  ['a group that may push too', 0o770, ['--shared=group'], 0o040, 0o007],
] as const)(
  'files of a delivery are readable for %s, as in the rest of the repository',
  async (_, mode, shared, wanted, closed) => {
    const before = process.umask(0o077 & ~closed)
    onTestFinished(() => void process.umask(before))
    const { repository, target } = await openPlace('--bare', ...shared)
    await chmod(repository, mode)
    const old = new Set(await readdir(repository, { recursive: true }))
    for (const umask of [0o077, 0o000]) {
      process.umask(umask)
      await target.deliver(builtSite(`under-${umask}`), unwatched())
    }
    const names = (await readdir(repository, { recursive: true })).filter((name) => !old.has(name))
    expect(names).toContain('refs/heads/pages')
    for (const name of names) {
      const { mode: found } = await stat(join(repository, name))
      expect([name, found & wanted, found & closed]).toEqual([name, wanted, 0])
    }
  },
)

test('only listed repositories are used, with links resolved, and none inside a folder target', async () => {
  const folder = await temporaryFolder()
  const place = (...names: string[]) => join(folder, ...names)
  for (const name of ['www/docs/r.git', 'git/site.git/hooks', 'git/other.git'])
    await mkdir(place(name), { recursive: true })
  await symlink(place('www/docs/r.git'), place('git/link.git'))
  await symlink(place('git/site.git'), place('alias.git'))
  const repositories = ['git/site.git', 'git/link.git', 'www/docs/r.git', 'git/gone.git'].map((name) => place(name))
  const machine = { repositories, folders: [place('www')] }
  expect(await locateRepository(place('git/site.git'), machine)).toBe(place('git/site.git'))
  expect(await locateRepository(place('alias.git'), machine)).toBe(place('git/site.git'))
  for (const name of ['git', 'git/other.git', 'git/site.git/hooks', 'git/gone.git'])
    await expect(locateRepository(place(name), machine)).rejects.toThrow('TARGET_REPOSITORIES')
  for (const name of ['www/docs/r.git', 'git/link.git'])
    await expect(locateRepository(place(name), machine)).rejects.toThrow('TARGET_FOLDERS')
  const inside = { repositories, folders: [place('git/site.git/hooks')] }
  await expect(locateRepository(place('git/site.git'), inside)).rejects.toThrow('TARGET_FOLDERS')
  await expect(locateRepository(place('git/site.git'), { ...machine, repositories: [] })).rejects.toThrow('may not')
})
