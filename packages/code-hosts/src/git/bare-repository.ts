import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Git, gitIn } from '@docket/sources/git/git'

/** Keeps files byte for byte: no conversion, no filter, and no way for a repository to hide changes or choose how to merge. */
const attributes = '* -text -ident -filter -working-tree-encoding !diff !merge\n'

/** Creates the repository under a temporary name, so that a crash leaves no incomplete one. */
export const openBareRepository = async (
  gitDir: string,
  { branch, fill }: { branch: string; fill?: (git: Git, draft: string) => Promise<void> },
): Promise<Git> => {
  if (!existsSync(gitDir)) {
    const draft = gitDir.replace(/\.git$/, '.seeding')
    await rm(draft, { recursive: true, force: true })
    await mkdir(draft, { recursive: true, mode: 0o700 })
    try {
      const git = gitIn(draft)
      await git(['init', '--quiet', '--bare', `--initial-branch=${branch}`, draft])
      await mkdir(join(draft, 'info'), { recursive: true })
      await writeFile(join(draft, 'info', 'attributes'), attributes)
      await fill?.(git, draft)
      await rename(draft, gitDir)
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  }
  await removeLeftovers(gitDir)
  return gitIn(gitDir)
}

/** A stale lock would make every later change of its ref fail, and an incomplete pack is never read. Only one process works here. */
const removeLeftovers = async (gitDir: string) => {
  const names = await readdir(join(gitDir, 'refs'), { recursive: true })
  const locks = names.filter((name) => name.endsWith('.lock')).map((name) => join('refs', name))
  const packs = await readdir(join(gitDir, 'objects', 'pack')).catch(() => [])
  const halves = packs.filter((name) => name.startsWith('tmp_')).map((name) => join('objects', 'pack', name))
  for (const name of [...locks, ...halves, 'packed-refs.lock', 'HEAD.lock', 'shallow.lock'])
    await rm(join(gitDir, name), { force: true })
}
