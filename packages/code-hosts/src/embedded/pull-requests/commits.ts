import type { Git } from '@docket/sources/git/git'
import { cut } from '@docket/sources/text'

/** A commit as lists show it. `at` is ISO 8601 with the author's own offset; author and subject are cut where they are long. */
export type CommitSummary = { hash: string; parents: string[]; author: string; at: string; subject: string }

export type Commit = CommitSummary & { message: string }

/** Commits of a pull request, oldest first: the newest 250 of `total`. */
export type Commits = { commits: CommitSummary[]; total: number }

const format = '--format=%H%x00%P%x00%an%x00%aI%x00%s'
const maxCommits = 250
/** Maximum length shown, because a subject can have any length. */
const limits = { author: 100, subject: 300, message: 20_000, listBytes: 1024 * 1024, commitBytes: 256 * 1024 }

export const listCommits = async (git: Git, range: string): Promise<Commits> => {
  const order = ['log', '--reverse', `--max-count=${maxCommits}`, '-z', format, range, '--']
  const [log, total] = await Promise.all([
    git(order, { atMostBytes: limits.listBytes }),
    git(['rev-list', '--count', range, '--']),
  ])
  const fields = log.split('\0')
  const commits = Array.from({ length: Math.floor(fields.length / 5) }, (_, index) =>
    parseCommit(fields.slice(index * 5)),
  )
  return { commits, total: Number(total) }
}

/** `hash` is the full hash. Null when the repository does not have the commit. */
export const readCommitAt = async (git: Git, hash: string): Promise<Commit | null> => {
  if (!/^[0-9a-f]{40}$/.test(hash)) return null
  const kind = await git(['cat-file', '-t', hash]).catch(() => '')
  if (kind.trim() !== 'commit') return null
  const order = ['log', '--no-walk', '-z', `${format}%x00%B`, hash, '--']
  const fields = (await git(order, { atMostBytes: limits.commitBytes })).split('\0')
  return { ...parseCommit(fields), hash, message: cut(fields[5] ?? '', limits.message) }
}

const parseCommit = ([hash = '', parents = '', author = '', at = '', subject = '']: string[]): CommitSummary => ({
  hash,
  parents: parents.split(' ').filter((parent) => parent !== ''),
  author: cut(author, limits.author),
  at,
  subject: cut(subject, limits.subject),
})
