import type { Git } from '#code-host/git.ts'

/** A commit as its page and the lists show it. `at` is ISO 8601 with the author's own offset. */
export type Commit = { hash: string; parents: string[]; author: string; at: string; subject: string; message: string }

const format = '--format=%H%x00%P%x00%an%x00%aI%x00%s%x00%B'

/** The newest commits of a range (`from..to`), oldest first, 250 at most; the same for one commit without a range. */
export const commitsOf = async (git: Git, range: readonly string[]): Promise<Commit[]> => {
  const log = await git(['log', '--reverse', '--max-count=250', '-z', format, ...range, '--'])
  // A message holds no NUL, whatever else it holds.
  const fields = log.split('\0')
  return Array.from({ length: Math.floor(fields.length / 6) }, (_, index) => {
    const [hash = '', parents = '', author = '', at = '', subject = '', message = ''] = fields.slice(index * 6)
    return { hash, parents: parents.split(' ').filter((parent) => parent !== ''), author, at, subject, message }
  })
}

/** One commit by its full hash. Null when it is none of this repository. */
export const commitAt = async (git: Git, hash: string): Promise<Commit | null> => {
  if (!/^[0-9a-f]{40}$/.test(hash)) return null
  const kind = await git(['cat-file', '-t', hash]).catch(() => '')
  return kind.trim() === 'commit' ? ((await commitsOf(git, ['--no-walk', hash]))[0] ?? null) : null
}
