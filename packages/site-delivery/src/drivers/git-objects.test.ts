import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { writeCommit } from './git-objects.ts'

const names = new Set([
  // Every byte of UTF-8 below U+0100 that a path may have.
  ...Array.from({ length: 255 }, (_, at) => String.fromCodePoint(at + 1)).filter((one) => one !== '/' && one !== '.'),
  '\\"',
  '"',
  '\\n',
  'a\nD index.html',
  'a"\nM 100644 inline b\ndata 0\n',
  '\\',
  '\\\\101',
  ' a ',
  '文.html',
  '🙂',
])

test('a path with any bytes is written and removed literally, and is never read as a command', async () => {
  const gitDir = join(await temporaryFolder(), 'r.git')
  const git = (...args: string[]) => execFileSync('git', ['--git-dir', gitDir, ...args], { encoding: 'utf8' })
  git('init', '--quiet', '--bare')
  const list = () => git('ls-tree', '-r', '-z', '--name-only', 'main').split('\0').slice(0, -1)
  const commit = (parent: string | null, removed: readonly string[], paths: readonly string[]) => {
    async function* describe() {
      async function* say() {
        yield Buffer.from('x')
      }
      for (const path of paths) yield { path, sizeBytes: 1, content: say() }
    }
    return writeCommit(
      gitDir,
      'refs/heads/main',
      { parent, message: 'x\n', removed, files: describe() },
      new AbortController().signal,
    )
  }
  const paths = [...names].flatMap((name) => [`${name}x`, `in ${name}/x${name}`])
  await commit(null, [], ['index.html', ...paths])
  expect(list().toSorted()).toEqual(['index.html', ...paths].toSorted())
  await commit(git('rev-parse', 'main').trim(), paths, ['last'])
  expect(list()).toEqual(['index.html', 'last'])
})
