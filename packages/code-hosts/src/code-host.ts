import type { Git } from '@docket/sources/git/git'

export type PullRequestLink = {
  number: number
  /** Page of the pull request: an https address from the service, or a path of Docket (`/code/…`). Null without a safe link. */
  url: string | null
  state: 'open' | 'merged' | 'closed'
  /** Sentences about what could not be added to a new pull request, such as an unknown label. */
  notes?: readonly string[]
}

/** Content of a new pull request. `branch` is already pushed. The embedded code host has no drafts, labels or reviewers. */
export type NewPullRequest = {
  branch: string
  title: string
  body: string
  draft?: boolean
  labels?: readonly string[]
  reviewers?: readonly string[]
}

export type Base = { branch: string; commit: string }

/** Every call rejects with a readable error without secrets, even for an unreachable service and after `signal` aborts. */
export type Project = {
  projectId: string
  /** The repository's address as §2.1 shows it: absolute, or a path of Docket. Never with a credential. */
  repositoryUrl: string
  /** Bare repository on this machine that `git` works on; jobs commit here first. */
  gitDir: string
  git: Git
  /** Folder of the project inside the repository; empty for the whole repository. */
  folder: string
  base(signal?: AbortSignal): Promise<Base>
  /** Fetches the head of another branch into `gitDir`. Null when the code host has no such branch. */
  readHead(branch: string, signal?: AbortSignal): Promise<string | null>
  /** Makes `branch` point at `commit` on the code host. Rejects when the branch has commits that are not ancestors of `commit`. */
  push(branch: string, commit: string, signal?: AbortSignal): Promise<void>
  /** The newest pull request of a branch, open ones first. Null when there is none. */
  findPullRequest(branch: string, signal?: AbortSignal): Promise<PullRequestLink | null>
  listOpenBranches(signal?: AbortSignal): Promise<string[]>
  /** Opens a pull request, or finds the open one of the branch. Null when the project has no pull requests, such as a repository on disk. */
  openOrFindPullRequest(request: NewPullRequest, signal?: AbortSignal): Promise<PullRequestLink | null>
  /** Removes a branch from the code host. Rejects without removing it when it is no longer at `commit`. */
  removeBranch(branch: string, commit: string, signal?: AbortSignal): Promise<void>
}

export type Projects = {
  readonly projectIds: readonly string[]
  /** Address of a project's repository, without a call. Null for an unknown project. See `Project.repositoryUrl`. */
  repositoryUrl(projectId: string): string | null
  /** Opens a project without a call over the network. Null for an unknown project. */
  open(projectId: string): Promise<Project | null>
}
