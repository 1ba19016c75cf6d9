import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitIn } from '@docket/sources/git/git'
import { byteForByte } from '#files/git-attributes.ts'
import type { Work } from './runner.ts'

/**
 * Makes a repository for the agent alone in `folder`, beside the checkout: the commit that the checkout shows, without its history, a
 * remote or hooks. Docket's own git never reads it.
 */
export const makeAgentRepository = async (
  folder: string,
  { checkout, repository }: Pick<Work, 'checkout' | 'repository'>,
  signal: AbortSignal,
): Promise<void> => {
  const { git, commit } = repository
  await mkdir(folder, { recursive: true })
  const own = gitIn(folder)
  const format = commit.length === 64 ? 'sha256' : 'sha1'
  await own(['init', '--quiet', '--template=', `--object-format=${format}`, '--initial-branch=main'], { signal })
  await mkdir(join(folder, 'info'), { recursive: true })
  await writeFile(join(folder, 'info', 'attributes'), byteForByte)
  const objects = await git(['rev-list', '--objects', '--no-object-names', '--max-count=1', commit], { signal })
  const pack = join(folder, 'objects', 'pack', 'pack')
  await git(['pack-objects', '--quiet', '--threads=1', pack], { input: objects, signal })
  // The parents are absent, and git must not look for them.
  await writeFile(join(folder, 'shallow'), `${commit}\n`)
  await own(['update-ref', 'refs/heads/main', commit])
  const identity = { 'user.name': 'Docs agent', 'user.email': 'docs-agent@localhost', 'core.bare': 'false' }
  for (const [name, value] of Object.entries(identity)) await own(['config', name, value])
  const index = join(folder, 'index')
  await own(['read-tree', commit], { index })
  await own(['update-index', '-q', '--refresh'], { workTree: checkout, index, goodExit: 1, signal })
}
