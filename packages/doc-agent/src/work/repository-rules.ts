import { docsAgent, type GitPerson } from '@docket/sources/git/git'

export const requesterModes = ['none', 'name', 'co-author'] as const

export type RepositoryRules = {
  author: GitPerson
  committer: GitPerson
  /** Adds `Signed-off-by` with the author, for the Developer Certificate of Origin. */
  signOff: boolean
  /** Private SSH key that signs commits. Absolute path; null: commits are not signed. */
  signingKeyFile: string | null
  requester: (typeof requesterModes)[number]
  title: string
  /** Template of a pull request's description; null: the built-in one. See `pullRequestText`. */
  body: string | null
  draft: boolean
  labels: readonly string[]
  reviewers: readonly string[]
  /** Maximum open pull requests of Docket per project. Null: no limit. */
  openPullRequests: number | null
  /** Address of a job's page in Docket. Null when Docket has no public address. */
  jobPage: ((projectId: string, jobId: string) => string) | null
}

export const defaultRules: RepositoryRules = {
  author: docsAgent,
  committer: docsAgent,
  signOff: false,
  signingKeyFile: null,
  requester: 'name',
  title: '{title}',
  body: null,
  draft: false,
  labels: [],
  reviewers: [],
  openPullRequests: null,
  jobPage: null,
}

/** The person who asked for a change. `email` null: unknown, or a token asked. */
export type Requester = { name: string; email: string | null }
