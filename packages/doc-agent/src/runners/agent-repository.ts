import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gitIn } from '@docket/sources/git/git'
import { byteForByte } from '#files/walk-files.ts'
import type { Work } from './runner.ts'

/** Creates a repository with one commit, without history, remote or hooks. Docket's own git never reads it. */
export const makeAgentRepository = async (
  folder: string,
  { checkout, repository }: Pick<Work, 'checkout' | 'repository'>,
  signal: AbortSignal,
): Promise<void> => {
  const { gitDir, commit } = repository
  await mkdir(folder, { recursive: true })
  const own = gitIn(folder)
  const format = commit.length === 64 ? 'sha256' : 'sha1'
  await own(['init', '--quiet', '--template=', `--object-format=${format}`, '--initial-branch=main'], { signal })
  await mkdir(join(folder, 'info'), { recursive: true })
  await writeFile(join(folder, 'info', 'attributes'), byteForByte)
  // The parents are absent, and git must not look for them.
  await writeFile(join(folder, 'shallow'), `${commit}\n`)
  // Git finishes a pack beside the objects of the repository it runs in, and renames it. Docket's may be on another mount, so git runs
  // here, and reads Docket's objects for a moment.
  const borrowed = join(folder, 'objects', 'info', 'alternates')
  await writeFile(borrowed, `${resolve(gitDir, 'objects')}\n`)
  const pack = join(folder, 'objects', 'pack', 'pack')
  await own(['pack-objects', '--quiet', '--threads=1', '--revs', pack], { input: `${commit}\n`, signal })
  await rm(borrowed)
  await own(['update-ref', 'refs/heads/main', commit])
  const identity = { 'user.name': 'Docs agent', 'user.email': 'docs-agent@localhost', 'core.bare': 'false' }
  for (const [name, value] of Object.entries(identity)) await own(['config', name, value])
  const index = join(folder, 'index')
  await own(['read-tree', commit], { index })
  await own(['update-index', '-q', '--refresh'], { workTree: checkout, index, goodExit: 1, signal })
}
