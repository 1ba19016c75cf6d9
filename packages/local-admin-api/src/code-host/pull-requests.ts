import { mainBranch, type Repository } from '#code-host/repositories.ts'

/** A pull request of the embedded code host. It lives in the repository itself, as a ref and a note. */
export type PullRequest = {
  number: number
  title: string
  body: string
  branch: string
  base: string
  head: string
  openedAt: string
}

const refOf = (number: number) => `refs/pull/${number}/head`
const recordOf = (number: number) => `refs/pull/${number}/record`

/** Opens a pull request for `branch`, or finds the one that is already open for it. */
export const openPullRequest = async (
  repository: Repository,
  request: { branch: string; title: string; body: string; now: Date },
): Promise<PullRequest> => {
  const existing = (await pullRequestsOf(repository)).find((pull) => pull.branch === request.branch)
  if (existing) return existing
  const { git } = repository
  const base = (await git(['rev-parse', mainBranch])).trim()
  const head = (await git(['rev-parse', `refs/heads/${request.branch}`])).trim()
  const number = ((await pullRequestsOf(repository))[0]?.number ?? 0) + 1
  const { now, ...described } = request
  const pull: PullRequest = { number, ...described, base, head, openedAt: now.toISOString() }
  const blob = (await git(['hash-object', '-w', '--stdin'], { input: JSON.stringify(pull) })).trim()
  // Both refs or none, and only if the number is still free: two jobs may finish in the same instant.
  await git(['update-ref', '--stdin'], {
    input: `start\ncreate ${refOf(number)} ${head}\ncreate ${recordOf(number)} ${blob}\nprepare\ncommit\n`,
  })
  await git(['update-server-info'])
  return pull
}

/** All pull requests of a repository, newest first. However many there are, git is asked twice. */
export const pullRequestsOf = async ({ git }: Repository): Promise<PullRequest[]> => {
  const refs = await git(['for-each-ref', '--format=%(refname)', 'refs/pull/*/record'])
  const records = await git(['cat-file', '--batch=%(objecttype)'], { input: refs })
  return (
    records
      .split('\n')
      // A record is one line of JSON; between them stands what git calls them.
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as PullRequest)
      .toSorted((a, b) => b.number - a.number)
  )
}

/** A commit as a pull request page lists it. */
export type Commit = { hash: string; subject: string; author: string; at: string }

/** Commits of a pull request, oldest first. */
export const commitsOf = async ({ git }: Repository, pull: PullRequest): Promise<Commit[]> => {
  const log = await git(['log', '--reverse', '--format=%H%x1f%s%x1f%an%x1f%aI', `${pull.base}..${pull.head}`])
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [hash = '', subject = '', author = '', at = ''] = line.split('\u001f')
      return { hash, subject, author, at }
    })
}

const diffLimitBytes = 2 * 1024 * 1024

/** The changes of a pull request as a unified diff; the first 2 MiB of a larger one. */
export const diffOf = ({ git }: Repository, pull: PullRequest): Promise<string> =>
  git(['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', `${pull.base}...${pull.head}`], {
    atMostBytes: diffLimitBytes,
  })
