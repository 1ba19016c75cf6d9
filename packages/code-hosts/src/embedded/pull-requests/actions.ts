import { inTurn } from '#embedded/in-turn.ts'
import { mainBranch, type Repository } from '#embedded/repositories.ts'
import { checkMergeability } from './mergeability.ts'
import { changeRefs, headRef, listPullRequests, recordChange, type PullRequest } from './pull-requests.ts'

/** Actions on a pull request. */
export type Action = 'merge' | 'close' | 'reopen' | 'delete-branch'

/** `sentence` explains why nothing changed; null when the pull request is in the requested state. */
export type Outcome = { pull: PullRequest; sentence: string | null }

type Order = { repository: Repository; pull: PullRequest; all: readonly PullRequest[]; seenHead: string; now: Date }

/**
 * Performs an action, or says why it cannot. `seenHead` is the commit that the reader saw. Repeated requests change
 * nothing. Null for an unknown pull request.
 */
export const act = (
  action: Action,
  repository: Repository,
  request: { number: number; seenHead: string; now: Date },
): Promise<Outcome | null> =>
  inTurn(repository.gitDir, async () => {
    const all = await listPullRequests(repository)
    const pull = all.find(({ number }) => number === request.number)
    if (!pull) return null
    const sentence = await actions[action]({ repository, pull, all, seenHead: request.seenHead, now: request.now })
    return { pull, sentence }
  })

const moved = 'The branch has changed since you opened the page. Look at the new commits first.'
const isMerged = 'It’s already merged.'

const merge = async ({ repository, pull, seenHead, now }: Order): Promise<string | null> => {
  if (pull.state === 'merged') return pull.head === seenHead ? null : isMerged
  if (pull.state === 'closed') return 'It’s closed. Reopen it to merge it.'
  if (pull.head !== seenHead) return moved
  const found = await checkMergeability(repository, pull)
  if (found.kind === 'impossible') return found.sentence
  if (found.kind === 'conflict') return conflictSentence(found.files)
  const { main } = found
  const result = found.kind === 'fast-forward' ? pull.head : await mergeCommit(repository, pull, main, found.tree)
  const merged: PullRequest = { ...pull, state: 'merged', endedAt: now.toISOString(), mergedInto: main }
  // The branch first: once it is updated, the pull request counts as merged, even after a crash.
  await changeRefs(repository, [
    `update ${headRef(pull.number)} ${pull.head}`,
    `update refs/heads/${mainBranch} ${result} ${main}`,
    await recordChange(repository, merged),
  ])
  return null
}

/** Names the files in which both sides changed the same places. */
export const conflictSentence = (files: readonly string[]): string =>
  `It conflicts with the main branch${files.length === 0 ? '' : ` in ${files.slice(0, 20).join(', ')}${files.length > 20 ? ` and ${files.length - 20} more` : ''}`}. Nothing was merged.`

const mergeCommit = async ({ git }: Repository, pull: PullRequest, main: string, tree: string) => {
  const message = { input: `Merge pull request #${pull.number} from ${pull.branch}\n\n${pull.title}\n` }
  return (await git(['commit-tree', tree, '-p', main, '-p', pull.head, '-F', '-'], message)).trim()
}

const close = async ({ repository, pull, seenHead, now }: Order): Promise<string | null> => {
  if (pull.state === 'merged') return isMerged
  if (pull.state === 'closed') return null
  if (pull.head !== seenHead) return moved
  await changeRefs(repository, [
    `update ${headRef(pull.number)} ${pull.head}`,
    await recordChange(repository, { ...pull, state: 'closed', endedAt: now.toISOString() }),
  ])
  return null
}

const reopen = async ({ repository, pull, all }: Order): Promise<string | null> => {
  if (pull.state === 'merged') return isMerged
  if (pull.state === 'open') return null
  const other = all.find((candidate) => candidate.branch === pull.branch && candidate.state === 'open')
  if (other) return `Its branch is in #${other.number} now, which is open.`
  const head = pull.branchHead ?? pull.head
  const shared = await repository.git(['merge-base', `refs/heads/${mainBranch}`, head], { goodExit: 1 })
  if (shared.trim() === head) return 'The main branch has all of its commits already.'
  await changeRefs(repository, [
    `update ${headRef(pull.number)} ${head}`,
    ...(pull.branchHead === null ? [`create refs/heads/${pull.branch} ${head}`] : []),
    await recordChange(repository, { ...pull, state: 'open', endedAt: null }),
  ])
  return null
}

const deleteBranch = async ({ repository, pull, all, seenHead }: Order): Promise<string | null> => {
  if (pull.branchHead === null) return null
  const open = all.find((candidate) => candidate.branch === pull.branch && candidate.state === 'open')
  if (open) return `The branch is in #${open.number}, which is open.`
  // No pull request contains these commits, so they would be lost.
  if (pull.branchHead !== pull.head) return `The branch has newer commits than #${pull.number}, so it stays.`
  if (pull.head !== seenHead) return moved
  await changeRefs(repository, [`delete refs/heads/${pull.branch} ${pull.head}`])
  return null
}

const actions: Readonly<Record<Action, (order: Order) => Promise<string | null>>> = {
  merge,
  close,
  reopen,
  'delete-branch': deleteBranch,
}
