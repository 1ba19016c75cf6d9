import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { gitIn, type Git } from '#code-host/git.ts'

/** A bare repository of the embedded code host. */
export type Repository = { projectId: string; gitDir: string; git: Git }

/** Branch that pull requests are made against. */
export const mainBranch = 'main'

/** Where project repositories live and how each comes to be. */
export type Repositories = {
  readonly projectIds: readonly string[]
  /** Opens a project's repository, and makes it on first use from its folder. Null for a project that does not exist. */
  open(projectId: string): Promise<Repository | null>
}

/** Bare repositories under `folder`, one per project, each seeded once with the files of the project's own folder. */
export const repositories = (folder: string, projects: Readonly<Record<string, string>>): Repositories => {
  const opening = new Map<string, Promise<Repository>>()
  return {
    projectIds: Object.keys(projects),
    open: async (projectId) => {
      const seedFolder = Object.hasOwn(projects, projectId) ? projects[projectId] : undefined
      if (seedFolder === undefined) return null
      const known = opening.get(projectId)
      if (known) return known
      const opened = openOrSeed(folder, projectId, seedFolder)
      opening.set(projectId, opened)
      // A failed first attempt (disk full, no git) must not be remembered for ever.
      opened.catch(() => opening.delete(projectId))
      return opened
    },
  }
}

const openOrSeed = async (folder: string, projectId: string, seedFolder: string): Promise<Repository> => {
  const gitDir = join(folder, `${projectId}.git`)
  const exists = await stat(gitDir).then(
    () => true,
    () => false,
  )
  if (!exists) await seed(folder, gitDir, seedFolder)
  return { projectId, gitDir, git: gitIn(gitDir) }
}

/** Made beside its place and renamed into it, so that a crash leaves no half-made repository. */
const seed = async (folder: string, gitDir: string, seedFolder: string) => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = await mkdtemp(join(folder, '.seeding-'))
  try {
    const git = gitIn(draft)
    await git(['init', '--quiet', '--bare', `--initial-branch=${mainBranch}`, draft])
    const options = { workTree: seedFolder, index: join(draft, 'seed.index') }
    await git(['add', '--all', '--force', '.'], options)
    const tree = (await git(['write-tree'], options)).trim()
    const commit = (await git(['commit-tree', tree, '-m', 'Import the documentation'])).trim()
    await git(['update-ref', `refs/heads/${mainBranch}`, commit])
    await git(['update-server-info'])
    await rm(options.index, { force: true })
    await rename(draft, gitDir)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
