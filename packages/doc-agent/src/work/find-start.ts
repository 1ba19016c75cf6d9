import type { Project } from '@docket/code-hosts/code-host'
import { count } from '@docket/sources/text'

/** Where a turn begins: the commit to work on, the parents of the new one, and sentences about what others did meanwhile. */
export type Start = { from: string; parents: string[]; isAhead: boolean; notices: string[] }

/**
 * Start of a turn: the head of the branch, or the base once the pull request is merged. The branch only ever grows, so a head that the
 * base lacks becomes a second parent. `made` are the commits that earlier turns made, oldest first.
 */
export const findStart = async (
  project: Project,
  { branch, made }: { branch: string; made: readonly string[] },
  signal: AbortSignal,
): Promise<Start> => {
  const { git } = project
  const base = await project.base(signal)
  const head = await project.readHead(branch, signal)
  const fresh = { from: base.commit, parents: [base.commit], isAhead: false, notices: [] }
  if (head === null) return fresh
  const shared = (await git(['merge-base', head, base.commit], { goodExit: 1 })).trim()
  if (shared === head) return fresh
  const notices = await findNotices(project, { base, head, shared, made })
  const pull = await project.findPullRequest(branch, signal)
  return pull?.state === 'merged'
    ? { from: base.commit, parents: [base.commit, head], isAhead: false, notices }
    : { from: head, parents: [head], isAhead: true, notices }
}

/** What a reviewer has to know about a branch that others changed, or whose base was rewritten. */
const findNotices = async (
  { git }: Project,
  {
    base,
    head,
    shared,
    made,
  }: { base: { branch: string; commit: string }; head: string; shared: string; made: readonly string[] },
): Promise<string[]> => {
  const list = async (...range: string[]) =>
    (await git(['rev-list', ...range, '--not', base.commit])).split('\n').filter((hash) => hash !== '')
  const ahead = new Set(await list('--topo-order', head))
  const [first, last] = [made.find((hash) => ahead.has(hash)), made.findLast((hash) => ahead.has(hash))]
  const oldBase = first === undefined ? null : await readParent(git, first)
  const isRewritten = oldBase !== null && ahead.has(oldBase)
  const notices: string[] = []
  if (shared === '')
    notices.push(
      `The branch and ${base.branch} have no commit in common any more, so the code host may refuse to merge it. Create a new job to begin from ${base.branch} as it is now.`,
    )
  else if (isRewritten)
    notices.push(
      `${base.branch} was rewritten since this job began: ${oldBase.slice(0, 7)} is no longer part of it. The pull request may show commits that were removed there.`,
    )
  // Commits of an abandoned base are not news of the branch.
  const before = last ?? oldBase
  const foreign = await list(head, ...(before === null ? [] : [`^${before}`]))
  const number = foreign.filter((hash) => !made.includes(hash)).length
  if (made.length > 0 && last === undefined)
    notices.push('Somebody rewrote the branch of this job. It was kept as it is now.')
  if (number > 0)
    notices.push(
      `${count(number, 'commit')} by somebody else ${number === 1 ? 'is' : 'are'} on the branch; ${number === 1 ? 'it was' : 'they were'} kept.`,
    )
  return notices
}

const readParent = async (git: Project['git'], commit: string): Promise<string | null> =>
  (await git(['rev-parse', '--verify', '--quiet', `${commit}^1`], { goodExit: 1 })).trim() || null
