import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from '@docket/sources/git/git'
import { openBareRepository } from '#git/bare-repository.ts'
import { onceEach } from './in-turn.ts'
import { seedFiles } from './seed-files.ts'

/** A bare repository of the embedded code host. */
export type Repository = { projectId: string; gitDir: string; git: Git }

/** Branch that pull requests are made against. */
export const mainBranch = 'main'

/**
 * Bare repositories under `folder`, one per project. Each begins with the files of the project's folder. Ids are plain
 * names. Files in or beside `dataDir` never become content.
 */
export const repositories = (folder: string, projects: Readonly<Record<string, string>>, dataDir = folder) => {
  const openOrSeed = onceEach(async (projectId, seedFolder: string): Promise<Repository> => {
    const gitDir = join(folder, `${projectId}.git`)
    const fill = (git: Git, draft: string) => importFolder(git, { draft, seedFolder, dataDir })
    const git = await openBareRepository(gitDir, { branch: mainBranch, fill })
    return { projectId, gitDir, git }
  })
  return {
    projectIds: Object.keys(projects),
    /** Opens a project's repository. Null before its first use, and for a project that does not exist. */
    find: async (projectId: string) => {
      const seedFolder = Object.hasOwn(projects, projectId) ? projects[projectId] : undefined
      const isMade = seedFolder !== undefined && existsSync(join(folder, `${projectId}.git`))
      return isMade ? openOrSeed(projectId, seedFolder) : null
    },
    /** Opens a project's repository, and makes it on first use from its folder. Null for a project that does not exist. */
    open: async (projectId: string) => {
      const seedFolder = Object.hasOwn(projects, projectId) ? projects[projectId] : undefined
      return seedFolder === undefined ? null : openOrSeed(projectId, seedFolder)
    },
  }
}

/** Repositories of the projects. */
export type Repositories = ReturnType<typeof repositories>

const importFolder = async (git: Git, order: { draft: string; seedFolder: string; dataDir: string }) => {
  const { draft, seedFolder, dataDir } = order
  const options = { workTree: seedFolder, index: join(draft, 'seed.index') }
  const files = await seedFiles(git, seedFolder, dataDir)
  await git(['update-index', '--add', '-z', '--stdin'], { ...options, input: files.join('\0') })
  const tree = (await git(['write-tree'], options)).trim()
  const commit = (await git(['commit-tree', tree, '-m', 'Import the documentation'])).trim()
  await git(['update-ref', `refs/heads/${mainBranch}`, commit])
  await rm(options.index, { force: true })
}
