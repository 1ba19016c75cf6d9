import { execFileSync } from 'node:child_process'
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Git, gitIn } from '@docket/sources/git/git'
import { temporaryFolder } from '@docket/sources/testing/files'
import { bareRepository, commitTo } from '@docket/sources/testing/git-server'
import { expect, test } from 'vitest'
import { checkOut } from './run-turn.ts'
import { writeSnapshotTree } from './snapshot.ts'

/** A checkout of a commit with these files, and what a snapshot makes of it then. `odd`: names of more files, as bytes. */
const checkedOut = async (files: Readonly<Record<string, string>>, odd: readonly Buffer[] = []) => {
  const place = await temporaryFolder()
  const gitDir = await bareRepository(join(place, 'x.git'), {})
  const git = gitIn(gitDir)
  const base =
    odd.length === 0 ? commitTo(gitDir, 'main', files) : await addOdd(git, commitTo(gitDir, 'main', files), odd)
  const workTree = join(place, 'tree')
  await checkOut({ git, gitDir, commit: base, workTree, index: join(place, 'index') })
  const take = async () => {
    const { tree, notes } = await writeSnapshotTree({ git, base, workTree, index: join(place, 'made.index') })
    const lines = (await git(['ls-tree', '-r', '-z', tree])).split('\0').filter((line) => line !== '')
    return { tree, notes, entries: lines.map((line) => `${line.slice(0, 6)} ${line.slice(line.indexOf('\t') + 1)}`) }
  }
  return {
    git,
    base,
    take,
    at: (...names: string[]) => join(workTree, ...names),
    write: (name: string, text = 'x') => writeFile(join(workTree, name), text),
  }
}

/** A commit with more files, whose names are bytes. */
const addOdd = async (git: Git, commit: string, names: readonly Buffer[]) => {
  const index = join(await temporaryFolder(), 'index')
  const blob = (await git(['hash-object', '-w', '--stdin'], { input: 'odd\n' })).trim()
  const lines = names.flatMap((name) => [Buffer.from(`100644 ${blob}\t`), name, Buffer.from('\0')])
  await git(['read-tree', commit], { index })
  await git(['update-index', '-z', '--index-info'], { index, input: Buffer.concat(lines) })
  const tree = (await git(['write-tree'], { index })).trim()
  return (await git(['commit-tree', tree, '-m', 'x'])).trim()
}

test('an unchanged work folder gives the same tree, whatever its git attributes', async () => {
  const files = {
    'a.md': 'a\r\n$Id$\n',
    '.gitattributes': '* text eol=crlf ident filter=lfs working-tree-encoding=UTF-16\n',
  }
  const { take, git, base } = await checkedOut(files)
  expect((await take()).tree).toBe((await git(['rev-parse', `${base}^{tree}`])).trim())
})

test('all ordinary changes are taken; links outside, hidden files and code-host workflows are left out and named', async () => {
  const { take, at, write } = await checkedOut({
    'a.md': 'a\n',
    'gone.md': 'gone\n',
    '.github/workflows/ci.yml': 'as it was\n',
    '.gitlab-ci.yml': 'as it was\n',
  })
  await write('a.md', 'changed\r\n')
  await rm(at('gone.md'))
  await write('run.sh')
  await chmod(at('run.sh'), 0o755)
  await mkdir(at('.git'))
  await write('.git/config')
  await write('.github/workflows/ci.yml', 'on: push\n')
  await rm(at('.gitlab-ci.yml'))
  await write('.github/workflows/new.yml')
  await write('.gitmodules')
  for (const [name, target] of Object.entries({ inside: 'a.md', up: '../x', root: '/etc/passwd', git: '.git/config' }))
    await symlink(target, at(name))
  await write('line\nbreak')
  execFileSync('mkfifo', [at('pipe')])
  const { entries, notes } = await take()
  expect(entries.toSorted()).toEqual([
    '100644 .github/workflows/ci.yml',
    '100644 .gitlab-ci.yml',
    '100644 a.md',
    '100755 run.sh',
    '120000 inside',
  ])
  const names = notes.map((note) => note.split(': ')[1])
  expect(names).toEqual(
    [
      '.git',
      '.github/workflows/ci.yml',
      '.github/workflows/new.yml',
      '.gitmodules',
      'git',
      'line\\nbreak',
      'pipe',
      'root',
      'up',
    ].map((name) => `"${name.replace('\\n', '\\n')}".`),
  )
})

test('a change that is too large is refused, naming the file that exceeds the limit', async () => {
  const { take, write } = await checkedOut({ 'a.md': 'a\n' })
  await write('big.bin', 'x'.repeat(32 * 1024 * 1024 + 1))
  await expect(take()).rejects.toThrow('The changes are too large: 32 MB a file')
})

test('a file whose name is not UTF-8 is kept and named, even if the rest of its folder changes', async () => {
  const { take, write, git, base, at } = await checkedOut({ 'a.md': 'a\n' }, [
    Buffer.from('caf\xe9.md', 'latin1'),
    Buffer.from('d\xe9/x.md', 'latin1'),
  ])
  expect((await take()).tree).toBe((await git(['rev-parse', `${base}^{tree}`])).trim())
  await write('a.md', 'changed\n')
  await writeFile(Buffer.concat([Buffer.from(`${at()}/`), Buffer.from('new\xff', 'latin1')]), 'x')
  const { notes, tree } = await take()
  const names = await git(['ls-tree', '-r', '-z', '--name-only', tree], { encoding: 'latin1' })
  expect(names.split('\0')).toEqual(['a.md', 'caf\xe9.md', 'd\xe9/x.md', ''])
  expect(notes).toEqual([
    'Left out, because its name is not UTF-8: “new\\xff”.',
    'Left as they were, because their names are not UTF-8: “caf\\xe9.md”, “d\\xe9/x.md”.',
  ])
})
