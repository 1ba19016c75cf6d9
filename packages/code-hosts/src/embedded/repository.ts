import type { Git } from '@docket/sources/git/git'
import { inTurnPerKey } from '@docket/once'

export type Repository = {
  projectId: string
  gitDir: string
  git: Git
  /** Folder of the project inside the repository; empty for the whole repository. */
  folder: string
  origin: FolderOrigin | Upstream
}

export type FolderRepository = Repository & { origin: FolderOrigin }

export type FolderOrigin = {
  path: string
  /** Docket's data folder. Files in or beside it never become content. */
  dataDir: string
  /** Branch of the git checkout that the folder is in. Null when its plain files were imported. */
  branch: string | null
}

export const mainBranch = 'main'

export type Upstream = {
  /** Sets our main branch to the branch of the repository. Rejects with a readable error when it can't be read. */
  sync: () => Promise<void>
  /** Fast-forwards the branch of the repository. Returns why that is impossible; null when it is done. */
  push: (commit: string) => Promise<string | null>
}

/** Runs tasks of the same repository one at a time, so that a second click waits for the first and sees its result. */
export const inTurn = inTurnPerKey()
