import type { Git } from '@docket/sources/git/git'

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
  /** Files in or beside it never become content. */
  dataDir: string
  /** Branch of the git checkout that the folder is in. Null when its plain files were imported. */
  branch: string | null
}

export const mainBranch = 'main'

/** A git repository on this machine whose pull requests the embedded code host keeps. */
export type Upstream = {
  /** Makes our main branch what the branch of the repository is. Rejects with a sentence when it can't be read. */
  sync: () => Promise<void>
  /** Moves the branch of the repository on, never by force. Returns why it can't; null when it did. */
  push: (commit: string) => Promise<string | null>
}
