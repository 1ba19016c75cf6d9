import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkOut } from '@docket/sources/git/git-checkout'
import { openGitSnapshots } from '@docket/sources/git/git-snapshots'
import { parseSource } from '@docket/sources/site-source'
import { temporaryFolder } from '@docket/sources/testing/files'
import { bareRepository, gitAt } from '@docket/sources/testing/git-server'
import { expect, onTestFinished, test } from 'vitest'
import { startApi } from '#testing/api.ts'
import { downloadBundle, readReport } from '#testing/bundle.ts'

type Entry = [mode: string, path: string, content: string]

const writeBlob = (gitDir: string, content: string) => gitAt(gitDir, ['hash-object', '-w', '--stdin'], content)

/** A tree of plain names, past every check that `git add` would make. */
const writeTree = (gitDir: string, entries: readonly Entry[]) => {
  const lines = entries.map(([mode, path, content]) => {
    if (mode === '160000') return `160000 commit ${content}\t${path}`
    return mode === '040000' ? `040000 tree ${content}\t${path}` : `${mode} blob ${writeBlob(gitDir, content)}\t${path}`
  })
  return gitAt(gitDir, ['mktree', '--missing'], `${lines.join('\n')}\n`)
}

const repositoryWith = async (entries: (gitDir: string) => readonly Entry[]) => {
  const gitDir = await bareRepository(join(await temporaryFolder(), 'docs.git'), { 'index.md': '# Home\n' })
  const commit = gitAt(gitDir, ['commit-tree', writeTree(gitDir, entries(gitDir)), '-m', 'hostile'])
  gitAt(gitDir, ['update-ref', 'refs/heads/main', commit])
  return { gitDir, url: `git+file://${gitDir}` }
}

/** Gets the files of a repository as an export does, without the process around it. */
const exportFiles = async (url: string, place: string) => {
  const snapshots = openGitSnapshots(join(place, 'repositories'))
  onTestFinished(() => snapshots.close())
  const source = parseSource(url)
  if (source.kind !== 'git') throw new TypeError('This is no git source.')
  const pin = await snapshots.pin(source)
  const target = join(place, 'files')
  const leftOut = await checkOut({ gitDir: await snapshots.fetch(pin), commit: pin.commit, folder: '', target })
  return { target, leftOut }
}

const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`

test('links, submodules and LFS files are left out, and the export’s report names each', async () => {
  const { url } = await repositoryWith((gitDir) => [
    ['100644', 'index.md', '# Home\n\n![secret](secret.svg) [all](all/passwd) ![big](big.png)\n'],
    ['120000', 'secret.md', '/etc/passwd'],
    ['120000', 'all', '/etc'],
    ['160000', 'theme', gitAt(gitDir, ['rev-parse', 'main'])],
    ['100644', '.gitmodules', '[submodule "theme"]\n\tpath = theme\n\turl = ext::sh -c touch% /tmp/x\n'],
    ['100644', 'big.png', pointer],
    ['100644', 'kept.md', pointer],
  ])
  const { start, finished, bundle } = await startApi({ sites: { 'docs.localhost': url } })
  const { jobId } = await start()
  expect(await finished(jobId)).toMatchObject({ status: 'completed', pageCount: 1 })
  const files = await downloadBundle(await bundle(jobId))
  expect([...files.values()].join('')).not.toMatch(/root:x?:0:0|git-lfs\.github\.com/)
  const reasons = new Map(readReport(files).lines.map(({ file, what }) => [file, what]))
  expect(reasons.get('secret.md')).toMatch(/symbolic link/)
  expect(reasons.get('all')).toMatch(/symbolic link/)
  expect(reasons.get('theme')).toMatch(/submodule/)
  expect(reasons.get('big.png')).toMatch(/Git LFS/)
  expect(reasons.get('kept.md')).toMatch(/Git LFS/)
})

test('no program, hook or filter of a repository is run, and its files are read byte for byte', async () => {
  const marks = await temporaryFolder()
  const program = join(marks, 'program.sh')
  await writeFile(program, `#!/bin/sh\ntouch ${join(marks, 'ran')}\ncat\n`)
  await chmod(program, 0o755)
  // Names that a command line would take for something else.
  const options = ['--upload-pack=touch ran', '-ccore.fsmonitor=x', '--help', '@{u}', ':(top)x']
  const text = '# Home\n\n$Id$ and tabs\t\nline\r\nend\n'
  const { gitDir, url } = await repositoryWith(() => [
    [
      '100644',
      '.gitattributes',
      '* text eol=crlf ident filter=evil diff=evil merge=evil export-subst\n*.txt working-tree-encoding=UTF-16\n',
    ],
    ['100644', 'index.md', text],
    ['100644', 'note.txt', 'plain\n'],
    ...options.map((name): Entry => ['100644', name, 'plain\n']),
  ])
  for (const name of [
    'filter.evil.smudge',
    'filter.evil.clean',
    'filter.evil.process',
    'core.fsmonitor',
    'uploadpack.packObjectsHook',
    'core.sshCommand',
    'core.gitProxy',
    'diff.evil.textconv',
  ])
    gitAt(gitDir, ['config', name, program])
  gitAt(gitDir, ['config', 'filter.evil.required', 'true'])
  await mkdir(join(gitDir, 'hooks'), { recursive: true })
  for (const hook of ['post-checkout', 'pre-receive', 'post-index-change', 'reference-transaction', 'pre-auto-gc']) {
    await writeFile(join(gitDir, 'hooks', hook), `#!/bin/sh\ntouch ${join(marks, 'ran')}\n`, { mode: 0o755 })
  }
  const { target, leftOut } = await exportFiles(url, await temporaryFolder())
  expect(leftOut).toEqual([])
  expect(await readFile(join(target, 'index.md'), 'utf8')).toBe(text)
  for (const name of ['note.txt', ...options]) expect(await readFile(join(target, name), 'utf8')).toBe('plain\n')
  expect(await readdir(marks)).toEqual(['program.sh'])
})

test.each([
  ['a folder named ..', (gitDir: string) => writeTree(gitDir, [['100644', 'escaped.md', 'out']]), '..'],
  [
    'a folder named .git',
    (gitDir: string) => writeTree(gitDir, [['100644', 'config', '[core]\n\tfsmonitor = touch x\n']]),
    '.git',
  ],
])(
  '%s in a repository is refused with a reason, and nothing is written outside the target folder',
  async (_, tree, name) => {
    const { url } = await repositoryWith((gitDir) => [
      ['040000', name, tree(gitDir)],
      ['100644', 'index.md', '# Home\n'],
    ])
    const place = await temporaryFolder()
    await expect(exportFiles(url, place)).rejects.toThrow(`invalid path '${name}/`)
    const left = await readdir(place, { recursive: true })
    expect(left.filter((path) => /escaped|index/.test(path))).toEqual([])
  },
)

test('a file that is too large or has a name that is not UTF-8 is left out, and the rest is read', async () => {
  const { gitDir, url } = await repositoryWith(() => [['100644', 'huge.png', 'x'.repeat(32 * 1024 * 1024 + 1)]])
  const page = Buffer.from(writeBlob(gitDir, '# Home\n'), 'hex')
  const toEntry = (name: string) => Buffer.concat([Buffer.from(`100644 ${name}\0`, 'latin1'), page])
  const before = execFileSync('git', ['--git-dir', gitDir, 'cat-file', 'tree', 'main'])
  const tree = Buffer.concat([toEntry('caf\u00e9.md'), before, toEntry('index.md')])
  const git = (args: string[], input: Buffer | string) =>
    execFileSync('git', ['--git-dir', gitDir, ...args], { input, encoding: 'utf8' }).trim()
  const id = git(['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], tree)
  gitAt(gitDir, ['update-ref', 'refs/heads/main', gitAt(gitDir, ['commit-tree', id, '-m', 'odd'])])
  const { target, leftOut } = await exportFiles(url, await temporaryFolder())
  expect(leftOut).toEqual([
    { file: 'caf\ufffd.md', reason: 'its name is not UTF-8' },
    { file: 'huge.png', reason: 'it has more than 32 MB' },
  ])
  expect(await readdir(target)).toEqual(['index.md'])
})
