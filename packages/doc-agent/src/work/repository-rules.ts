import { docsAgent, type GitPerson } from '@docket/sources/git/git'

export const requesterModes = ['none', 'name', 'co-author'] as const

export type RepositoryRules = {
  author: GitPerson
  committer: GitPerson
  /** Adds `Signed-off-by` with the author, for the Developer Certificate of Origin. */
  signOff: boolean
  /** Absolute path of the private SSH key that signs commits. Null when commits are not signed. */
  signingKeyFile: string | null
  requester: (typeof requesterModes)[number]
  title: string
  /** Template of a pull request's description; null for the built-in one. See `pullRequestText`. */
  body: string | null
  draft: boolean
  labels: readonly string[]
  reviewers: readonly string[]
  /** Maximum number of Docket's open pull requests per project. Null for no limit. */
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

/** `email` is null when it is unknown or the request used a token. */
export type Requester = { name: string; email: string | null }
