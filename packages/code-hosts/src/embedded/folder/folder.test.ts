import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder, writeFolder } from '@docket/sources/testing/files'
import { commitTo, gitAt } from '@docket/sources/testing/git-server'
import { listRun, plantPrograms } from '@docket/sources/testing/planted-repository'
import { expect, onTestFinished, test } from 'vitest'
import { createEmbeddedCodeHost } from '#embedded/embedded-code-host.ts'
import { openEmbeddedProject } from '#embedded/embedded-project.ts'
import { repositories } from '#embedded/repositories.ts'

const run = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' },
  }).trim()

const commitAll = (folder: string, message: string) => {
  run(folder, 'add', '-A')
  run(folder, 'commit', '--quiet', '-m', message)
}

/** A git checkout of these files. */
const checkout = async (files: Readonly<Record<string, string>>) => {
  const root = await writeFolder(files)
  run(root, 'init', '--quiet', '--initial-branch=trunk')
  commitAll(root, 'Begin')
  return root
}

/** The embedded code host with the project `docs` from `folder`. */
const start = async (folder: string, dataDir?: string) => {
  const data = dataDir ?? (await temporaryFolder())
  const opened = repositories(join(data, 'code-host'), { docs: folder }, { dataDir: data })
  const now = () => new Date()
  const codeHost = createEmbeddedCodeHost({ repositories: opened, findJob: () => Promise.resolve(null), now })
  const repository = (await opened.open('docs'))!
  const { gitDir } = repository
  const look = async () => (await codeHost.listPulls('docs', { state: 'all' }))!.folder
  const main = () => gitAt(gitDir, ['rev-parse', 'main'])
  const update = async () => (await codeHost.updateFolder('docs', main()))!
  const list = () => gitAt(gitDir, ['ls-tree', '-r', '--name-only', 'main']).split('\n')
  return { gitDir, look, main, update, list, data, project: openEmbeddedProject(repository, now) }
}

const read = (...path: string[]) => readFile(join(...path), 'utf8')

test('a folder in a git checkout is imported with its history, and nothing in its configuration is run', async () => {
  const root = await checkout({ 'docs/index.md': 'one\n', 'README.md': 'x\n' })
  await writeFile(join(root, 'docs/index.md'), 'two\n')
  await writeFile(join(root, '.gitattributes'), '* filter=evil\n')
  commitAll(root, 'Second')
  const marks = await temporaryFolder()
  const config = await read(root, '.git/config')
  plantPrograms(join(root, '.git'), marks)
  const { gitDir, look, main, update, project } = await start(join(root, 'docs'))
  expect([project.folder, gitAt(gitDir, ['log', '--format=%s', 'main'])]).toEqual(['docs', 'Second\nBegin'])
  expect(await look()).toMatchObject({ behind: 0, canUpdate: false, sentence: 'The folder is up to date.' })

  const kept = { 'README.md': 'x\n', '.gitattributes': '* filter=evil\n' }
  commitTo(gitDir, 'main', { ...kept, 'docs/index.md': 'three\n', 'docs/new/a.md': 'a\n' })
  expect(await look()).toMatchObject({ behind: 1, canUpdate: true })
  await expect(update()).rejects.toThrow("transport 'ext' not allowed")
  expect(await read(root, 'docs/index.md')).toBe('two\n')
  run(root, 'config', '--remove-section', `url.ext::touch ${marks}/ext `)
  // As Docket runs: its own files are private, those of the person's folder are not.
  const umask = process.umask(0o077)
  onTestFinished(() => void process.umask(umask))
  expect(await update()).toEqual({ changed: true, refused: null })
  const modes = ['docs/index.md', 'docs/new', 'docs/new/a.md'].map((path) => statSync(join(root, path)).mode & 0o777)
  expect(modes).toEqual([0o644, 0o755, 0o644])
  expect(listRun(marks)).toEqual([])
  expect([await read(root, 'docs/index.md'), await read(root, 'docs/new/a.md')]).toEqual(['three\n', 'a\n'])
  await writeFile(join(root, '.git/config'), config)
  await rm(join(root, '.git/hooks'), { recursive: true })
  expect([run(root, 'rev-parse', 'trunk'), run(root, 'status', '--porcelain')]).toEqual([main(), ''])
  expect(await update()).toEqual({ changed: false, refused: null })
})

test('new commits in the folder are imported before a job begins, and uncommitted changes are kept and named', async () => {
  const root = await checkout({ 'a.md': 'one\n', 'b.md': 'one\n', 'c.md': 'one\n' })
  const { gitDir, look, main, update, project } = await start(root)
  await writeFile(join(root, 'a.md'), 'two\n')
  commitAll(root, 'Mine')
  expect((await project.base()).commit).toBe(run(root, 'rev-parse', 'HEAD'))

  commitTo(gitDir, 'main', { 'a.md': 'two\n', 'b.md': 'theirs\n', 'c.md': 'one\n' })
  await writeFile(join(root, 'c.md'), 'mine\n')
  expect(await look()).toMatchObject({
    behind: 1,
    canUpdate: false,
    sentence: expect.stringMatching(/committed: c\.md/),
  })
  expect(await update()).toEqual({ changed: false, refused: expect.stringMatching(/c\.md/) })
  expect(await read(root, 'b.md')).toBe('one\n')
  commitAll(root, 'Mine too')
  // Both sides have commits, but none conflicts.
  expect(await look()).toMatchObject({ behind: 2, canUpdate: true })
  expect(gitAt(gitDir, ['show', 'main:c.md'])).toBe('mine')
  run(root, 'switch', '--quiet', '-c', 'other')
  expect(await update()).toEqual({ changed: false, refused: expect.stringMatching(/on the branch other/) })
  run(root, 'switch', '--quiet', 'trunk')
  await writeFile(join(root, 'b.md'), 'mine\n')
  commitAll(root, 'A conflict')
  const before = main()
  expect(await look()).toMatchObject({ canUpdate: false, sentence: expect.stringMatching(/same places in b\.md/) })
  expect((await project.base()).commit).toBe(before)
  expect(await update()).toEqual({ changed: false, refused: expect.stringMatching(/b\.md/) })
  expect(await read(root, 'b.md')).toBe('mine\n')
})

test('a plain folder is imported with hidden configuration but no secrets, and changes are copied both ways', async () => {
  const folder = await writeFolder({
    'a.md': 'one\n',
    'b.md': 'one\n',
    '.vitepress/config.ts': 'x',
    '.github/x.yml': 'x',
    '.prettierrc': 'x',
    '.env.local': 'secret',
    '.npmrc': 'secret',
    '.aws/credentials': 'secret',
    '.deploy-token': 'secret',
    'node_modules/a.md': 'x',
  })
  const { gitDir, look, update, list } = await start(folder)
  const files = {
    'a.md': 'one\n',
    'b.md': 'one\n',
    '.vitepress/config.ts': 'x',
    '.github/x.yml': 'x',
    '.prettierrc': 'x',
  }
  expect(list()).toEqual(Object.keys(files).toSorted())
  commitTo(gitDir, 'main', { ...files, 'a.md': 'fixed\n', 'deep/new.md': 'new\n' })
  await writeFile(join(folder, 'b.md'), 'mine\n')
  expect(await look()).toMatchObject({ behind: 2, canUpdate: true })
  expect(gitAt(gitDir, ['show', 'main:b.md'])).toBe('mine')
  expect(await update()).toEqual({ changed: true, refused: null })
  expect([await read(folder, 'a.md'), await read(folder, 'b.md'), await read(folder, 'deep/new.md')]).toEqual([
    'fixed\n',
    'mine\n',
    'new\n',
  ])
  expect(await look()).toMatchObject({ behind: 0, sentence: 'The folder is up to date.' })

  commitTo(gitDir, 'main', { ...files, 'a.md': 'main\n' })
  await writeFile(join(folder, 'a.md'), 'folder\n')
  expect(await look()).toMatchObject({ canUpdate: false, sentence: expect.stringMatching(/same places in a\.md/) })
  expect((await update()).refused).toMatch(/a\.md/)
  expect([await read(folder, 'a.md'), existsSync(join(folder, 'deep/new.md'))]).toEqual(['folder\n', true])

  for (const name of ['a.md', 'b.md', 'deep', '.vitepress', '.github', '.prettierrc'])
    await rm(join(folder, name), { recursive: true })
  // As when a disk is not mounted.
  expect(await look()).toMatchObject({ canUpdate: false, sentence: expect.stringMatching(/is empty/) })
})

test.each(['git', 'plain'] as const)(
  'an interrupted update of a %s folder is not taken for a user’s change, and the next update completes it',
  async (kind) => {
    const files = { 'a.md': 'one\n', 'b.md': 'one\n', 'gone.md': 'x\n' }
    const folder = await (kind === 'git' ? checkout(files) : writeFolder(files))
    const { gitDir, look, main, update, data } = await start(folder)
    await look()
    commitTo(gitDir, 'main', { 'a.md': 'two\n', 'b.md': 'two\n', 'new.md': 'new\n' })
    // The state between two files of an update.
    gitAt(gitDir, ['update-ref', 'refs/folder/writing', 'main'])
    await writeFile(join(folder, 'a.md'), 'two\n')
    await rm(join(folder, 'gone.md'))

    const before = main()
    const later = await start(folder, data)
    expect(await later.look()).toMatchObject({ canUpdate: true, sentence: expect.stringMatching(/interrupted/) })
    expect(main()).toBe(before)
    await writeFile(join(folder, 'new.md'), 'a person’s\n')
    expect((await later.update()).refused).toMatch(/new\.md/)
    expect(await read(folder, 'b.md')).toBe('one\n')
    await rm(join(folder, 'new.md'))
    expect(await later.update()).toEqual({ changed: true, refused: null })
    expect([await read(folder, 'b.md'), await read(folder, 'new.md')]).toEqual(['two\n', 'new\n'])
    expect(await later.look()).toMatchObject({ behind: 0, sentence: 'The folder is up to date.' })
    if (kind === 'git')
      expect([run(folder, 'rev-parse', 'trunk'), run(folder, 'status', '--porcelain')]).toEqual([main(), ''])
    expect(await update()).toEqual({ changed: false, refused: null })
  },
)

test('an update never writes through a link or outside the folder, and creates no link', async () => {
  const outside = await writeFolder({ 'secret.md': 'secret\n' })
  const folder = await checkout({ 'docs/a.md': 'one\n', 'beside.md': 'x\n' })
  const { gitDir, update } = await start(join(folder, 'docs'))
  const files = { 'docs/a.md': 'one\n', 'beside.md': 'x\n' }
  await symlink(outside, join(folder, 'docs/away'))
  for (const [path, change] of [
    ['docs/away/secret.md', { 'docs/away/secret.md': 'overwritten\n' }],
    ['docs/away/new.md', { 'docs/away/new.md': 'new\n' }],
    ['beside.md', { 'beside.md': 'changed\n' }],
  ] as const) {
    const at = gitAt(gitDir, ['rev-parse', 'refs/folder/head'])
    commitTo(gitDir, 'main', { ...files, 'docs/a.md': 'two\n', ...change }, { from: at })
    expect((await update()).refused).toContain(path)
  }
  const head = gitAt(gitDir, ['rev-parse', 'refs/folder/head'])
  const blob = gitAt(gitDir, ['hash-object', '-w', '--stdin'], outside)
  const link = [
    `commit refs/heads/main\ncommitter x <x> 0 +0000\ndata 1\nx\nfrom ${head}\nM 120000 ${blob} docs/link\n`,
  ]
  gitAt(gitDir, ['fast-import', '--quiet', '--force'], link.join(''))
  expect((await update()).refused).toContain('docs/link')
  expect([await read(outside, 'secret.md'), await read(folder, 'docs/a.md')]).toEqual(['secret\n', 'one\n'])
  expect([existsSync(join(outside, 'new.md')), existsSync(join(folder, 'docs/link'))]).toEqual([false, false])
})

test('a repository imported by an earlier version keeps its history', async () => {
  const folder = await checkout({ 'a.md': 'one\n' })
  const plain = await writeFolder({ 'a.md': 'one\n' })
  const first = await start(plain)
  gitAt(first.gitDir, ['update-ref', '-d', 'refs/folder/synced'])
  const imported = first.main()
  const later = await start(folder, first.data)
  expect([await later.look(), later.main()]).toMatchObject([{ behind: 0 }, imported])
  commitTo(later.gitDir, 'main', { 'a.md': 'two\n' })
  expect(await later.update()).toEqual({ changed: true, refused: null })
  expect([await read(folder, 'a.md'), run(folder, 'log', '--format=%s')]).toEqual(['two\n', 'Begin'])
})
