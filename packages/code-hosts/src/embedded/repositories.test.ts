import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFolder, temporaryFolder } from '@docket/sources/testing/files'
import { commitTo } from '@docket/sources/testing/git-server'
import { expect, test } from 'vitest'
import { readDiff } from '#embedded/pull-requests/diff.ts'
import { repositories } from './repositories.ts'
import { type Repository } from './repository.ts'

const open = async (files: Readonly<Record<string, string | Uint8Array>>, prepare?: (folder: string) => void) => {
  const folder = await writeFolder(files)
  prepare?.(folder)
  const repository = await repositories(await temporaryFolder(), { docs: folder }).open('docs')
  return repository!
}

const listFiles = async ({ git }: Repository, ref = 'main') =>
  (await git(['ls-tree', '-r', '--name-only', ref])).trim().split('\n')

test('a folder in a checkout, with nested repositories, is imported with its own files and no git data', async () => {
  const repository = await open(
    {
      'a.md': 'a',
      '.gitignore': '*.log\nprivate/\n',
      'debug.log': 'x',
      'private/key.md': 'x',
      'nested/b.md': 'b',
      'unborn/c.md': 'c',
      '.env': 'x',
      'node_modules/x.md': 'x',
    },
    (folder) => {
      for (const place of ['.', 'nested', 'unborn']) execFileSync('git', ['init', '--quiet', join(folder, place)])
      const nested = ['-C', join(folder, 'nested'), '-c', 'user.name=x', '-c', 'user.email=x@localhost']
      execFileSync('git', [...nested, 'add', '.'])
      execFileSync('git', [...nested, 'commit', '--quiet', '-m', 'x'])
    },
  )
  expect(await listFiles(repository)).toEqual(['.gitignore', 'a.md', 'nested/b.md', 'unborn/c.md'])
})

test('Docket’s own data inside an imported folder is not imported', async () => {
  const folder = await writeFolder({
    'a.md': 'a',
    'data/local-admin-api.key': 'secret',
    'data/postgres/PG_VERSION': '18',
  })
  const dataDir = join(folder, 'data', 'local-admin-api')
  await mkdir(dataDir, { recursive: true })
  await writeFile(join(dataDir, 'link-secret'), 'secret')
  const repository = await repositories(join(dataDir, 'code-host'), { docs: folder }, { dataDir }).open('docs')
  expect(await listFiles(repository!)).toEqual(['a.md'])
})

test('files are imported byte for byte despite git attributes, and an empty folder becomes a repository', async () => {
  const text = 'one\r\ntwo $Id$\r\n'
  const repository = await open({
    'a.md': text,
    '.gitattributes': '*.md text eol=lf ident filter=evil -diff merge=ours',
  })
  expect(await repository.git(['cat-file', 'blob', 'main:a.md'])).toBe(text)
  commitTo(repository.gitDir, 'mean', { 'a.md': text, '.gitattributes': '*.md text filter=evil -diff merge=ours' })
  const index = join(repository.gitDir, 'test.index')
  await repository.git(['read-tree', 'mean'], { index })
  expect(await repository.git(['check-attr', '--cached', '--all', '--', 'a.md'], { index })).not.toMatch(
    /diff|merge|: set/,
  )
  expect(await listFiles(await open({}))).toEqual([''])
})

test('a git lock left by a power cut is removed at the next start', async () => {
  const [folder, site] = [await temporaryFolder(), await writeFolder({ 'a.md': 'a' })]
  const first = (await repositories(folder, { docs: site }).open('docs'))!
  await mkdir(join(first.gitDir, 'refs/heads/docs-agent'), { recursive: true })
  await writeFile(join(first.gitDir, 'refs/heads/docs-agent/x.lock'), '')
  const again = (await repositories(folder, { docs: site }).open('docs'))!
  await again.git(['update-ref', 'refs/heads/docs-agent/x', 'main'])
  expect(await again.git(['rev-parse', 'docs-agent/x'])).toBe(await again.git(['rev-parse', 'main']))
})

test('a diff distinguishes renamed, new, deleted and binary files, and shows lines of dashes as content', async () => {
  const body = 'line\n'.repeat(20)
  const image = Buffer.from([0x89, 0x50, 0, 1, 2, 3])
  const repository = await open({
    'old name.md': body,
    'gone.md': 'gone\n',
    'p.png': image,
    'list.md': '-- dash\n++ plus\n',
  })
  const { git } = repository
  const entry = async (path: string, content: string, mode = '100644') =>
    `${mode} blob ${(await git(['hash-object', '-w', '--stdin'], { input: content })).trim()}\t${path}\n`
  const entries = await Promise.all([
    entry('new name é.md', `${body}more\n`),
    entry('p.png', '\0other'),
    entry('list.md', '- dash\n'),
    entry('fresh.md', '<i>fresh</i>\n'),
    entry('link', '/etc/passwd', '120000'),
  ])
  const tree = (await git(['mktree'], { input: entries.join('') })).trim()
  const commit = (await git(['commit-tree', tree, '-p', 'main', '-m', 'Change'])).trim()
  await git(['update-ref', 'refs/heads/change', commit])
  const { files } = await readDiff(git, 'main', 'change')
  expect(Object.fromEntries(files.map(({ path, note }) => [path, note]))).toEqual({
    'fresh.md': 'new',
    'gone.md': 'deleted',
    link: 'symbolic link, new',
    'list.md': '',
    'new name é.md': 'renamed from old name.md',
    'p.png': 'binary, not shown',
  })
  const lines = files.flatMap((file) => file.lines)
  expect(lines.filter(({ text }) => /^--- |^\+<i>/.test(text))).toEqual([
    { kind: 'added', text: '+<i>fresh</i>', before: null, after: 1 },
    { kind: 'removed', text: '--- dash', before: 1, after: null },
  ])
})
