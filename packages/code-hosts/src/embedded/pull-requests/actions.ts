import { listNames } from '#embedded/folder/folder-state.ts'
import { inTurn, mainBranch, type Repository } from '#embedded/repository.ts'
import { changeRefs, toHeadRef, listPullRequests, recordChange, type PullRequest } from './pull-requests.ts'

export type Action = 'merge' | 'close' | 'reopen' | 'delete-branch'

/** `sentence` explains why nothing changed; null when the pull request is in the requested state. */
export type Outcome = { pull: PullRequest; changed: boolean; sentence: string | null }

export type Refusals = Record<Action, string | null>

type Subject = { repository: Repository; pull: PullRequest; all: readonly PullRequest[] }
/** `mergeability` is null unless the pull request is open. */
type Question = Subject & { mergeability: Mergeability | null }
type Order = Question & { now: Date }

type Rule = {
  isDone: (pull: PullRequest) => boolean
  /** The reason why the action is not possible, even if it is already done. */
  whyNot: (question: Question) => string | null | Promise<string | null>
  /** Changes refs atomically. Returns why nothing changed, else null. */
  run: (order: Order) => Promise<string | null>
}

/** Refuses if the head is not `seenHead`, the commit that the user saw. Repetitions change nothing. Null for an unknown pull request. */
export const runAction = (
  action: Action,
  repository: Repository,
  { number, seenHead, now }: { number: number; seenHead: string; now: Date },
): Promise<Outcome | null> =>
  inTurn(repository.gitDir, async () => {
    // A remote repository may have new commits. If it can't be read now, the push reports that.
    if (action === 'merge' && 'push' in repository.origin) await repository.origin.sync().catch(() => {})
    const all = await listPullRequests(repository)
    const pull = all.find((candidate) => candidate.number === number)
    if (!pull) return null
    const { isDone, whyNot, run } = rules[action]
    const refuse = (sentence: string | null) => ({ pull, changed: false, sentence })
    // A closed pull request gets all commits of its branch when it is reopened.
    const isSeen = action === 'reopen' || pull.head === seenHead
    if (isDone(pull)) return refuse(action === 'merge' && !isSeen ? isMerged : null)
    if (pull.state === 'open' && !isSeen) return refuse(moved)
    const mergeability = action === 'merge' && pull.state === 'open' ? await checkMergeability(repository, pull) : null
    const order = { repository, pull, all, mergeability, now }
    const sentence = await whyNot(order)
    if (sentence !== null || !isSeen) return refuse(sentence ?? moved)
    const failure = await run(order)
    return failure === null ? { pull, changed: true, sentence: null } : refuse(failure)
  })

export const findRefusals = async (question: Question): Promise<Refusals> => ({
  merge: await merge.whyNot(question),
  close: await close.whyNot(question),
  reopen: await reopen.whyNot(question),
  'delete-branch': await deleteBranch.whyNot(question),
})

const moved = 'The branch has changed since you opened the page. Look at the new commits first.'
const isMerged = 'It’s already merged.'

export const describeConflict = (files: readonly string[]): string => {
  const where = files.length === 0 ? '' : ` in ${listNames(files)}`
  return `It conflicts with the main branch${where}.`
}

const merge: Rule = {
  isDone: ({ state }) => state === 'merged',
  whyNot: ({ pull, mergeability }) => {
    if (pull.state === 'merged') return isMerged
    if (pull.state === 'closed') return 'It’s closed. Reopen it to merge it.'
    if (mergeability?.kind === 'impossible') return mergeability.sentence
    return mergeability?.kind === 'conflict' ? `${describeConflict(mergeability.files)} Nothing was merged.` : null
  },
  run: async ({ repository, pull, mergeability, now }) => {
    if (mergeability?.kind !== 'fast-forward' && mergeability?.kind !== 'merge') throw new Error('It cannot be merged.')
    const { main } = mergeability
    const result =
      mergeability.kind === 'fast-forward'
        ? pull.head
        : await createMergeCommit(repository, pull, main, mergeability.tree)
    // The original repository first, so our main branch never has a commit that it lacks. After a crash, the next sync catches up.
    const failure = 'push' in repository.origin ? await repository.origin.push(result) : null
    if (failure !== null) return failure
    // The branch first: once it is updated, the pull request counts as merged, even after a crash.
    await changeRefs(repository, [
      `update ${toHeadRef(pull.number)} ${pull.head}`,
      `update refs/heads/${mainBranch} ${result} ${main}`,
      await recordChange(repository, { ...pull, state: 'merged', endedAt: now.toISOString(), mergedInto: main }),
    ])
    return null
  },
}

const createMergeCommit = async ({ git }: Repository, pull: PullRequest, main: string, tree: string) => {
  const message = { input: `Merge pull request #${pull.number} from ${pull.branch}\n\n${pull.title}\n` }
  return (await git(['commit-tree', tree, '-p', main, '-p', pull.head, '-F', '-'], message)).trim()
}

const close: Rule = {
  isDone: ({ state }) => state === 'closed',
  whyNot: ({ pull }) => (pull.state === 'merged' ? isMerged : pull.state === 'closed' ? 'It’s already closed.' : null),
  run: async ({ repository, pull, now }) => {
    await changeRefs(repository, [
      `update ${toHeadRef(pull.number)} ${pull.head}`,
      await recordChange(repository, { ...pull, state: 'closed', endedAt: now.toISOString() }),
    ])
    return null
  },
}

const reopen: Rule = {
  isDone: ({ state }) => state === 'open',
  whyNot: async ({ repository, pull, all }) => {
    if (pull.state === 'merged') return isMerged
    if (pull.state === 'open') return 'It’s open.'
    const other = findOpenPullRequest(all, pull)
    if (other) return `Its branch is in #${other.number} now, which is open.`
    const head = pull.branchHead ?? pull.head
    const shared = await repository.git(['merge-base', `refs/heads/${mainBranch}`, head], { goodExit: 1 })
    return shared.trim() === head ? 'The main branch has all of its commits already.' : null
  },
  run: async ({ repository, pull }) => {
    const head = pull.branchHead ?? pull.head
    await changeRefs(repository, [
      `update ${toHeadRef(pull.number)} ${head}`,
      ...(pull.branchHead === null ? [`create refs/heads/${pull.branch} ${head}`] : []),
      await recordChange(repository, { ...pull, state: 'open', endedAt: null }),
    ])
    return null
  },
}

const deleteBranch: Rule = {
  isDone: ({ branchHead }) => branchHead === null,
  whyNot: ({ pull, all }) => {
    if (pull.branchHead === null) return 'The branch is deleted.'
    const open = findOpenPullRequest(all, pull)
    if (open) return `The branch is in #${open.number}, which is open.`
    // No pull request contains these commits, so they would be lost.
    return pull.branchHead === pull.head ? null : `The branch has newer commits than #${pull.number}, so it stays.`
  },
  run: async ({ repository, pull }) => {
    await changeRefs(repository, [`delete refs/heads/${pull.branch} ${pull.head}`])
    return null
  },
}

const findOpenPullRequest = (all: readonly PullRequest[], { branch }: PullRequest) =>
  all.find((candidate) => candidate.branch === branch && candidate.state === 'open')

const rules: Readonly<Record<Action, Rule>> = { merge, close, reopen, 'delete-branch': deleteBranch }

export type Mergeability =
  | { kind: 'fast-forward'; main: string }
  | { kind: 'merge'; main: string; tree: string }
  | { kind: 'conflict'; main: string; files: string[] }
  | { kind: 'impossible'; main: string; sentence: string }

/** Checks a merge without a work tree and without changing a ref. */
export const checkMergeability = async ({ git }: Repository, { head }: PullRequest): Promise<Mergeability> => {
  const main = (await git(['rev-parse', `refs/heads/${mainBranch}`])).trim()
  const shared = (await git(['merge-base', main, head], { goodExit: 1 })).trim()
  if (shared === head) return { kind: 'impossible', main, sentence: 'The main branch has all of its commits already.' }
  if (shared === main) return { kind: 'fast-forward', main }
  const merge = ['merge-tree', '--write-tree', '--name-only', '-z', main, head]
  // git exits with 1 for a conflict, and lists the files after the tree.
  const output = await git(merge, { goodExit: 1 }).catch((error: unknown) => explainFailure(error))
  if (typeof output !== 'string') return { kind: 'impossible', main, sentence: output.sentence }
  const [tree = '', ...more] = output.split('\0')
  if (more.every((part) => part === '')) return { kind: 'merge', main, tree }
  return { kind: 'conflict', main, files: [...new Set(more.slice(0, more.indexOf('')))] }
}

const explainFailure = (error: unknown) => {
  const output = error instanceof Error ? error.message : String(error)
  if (/usage: git merge-tree/.test(output))
    return {
      sentence: 'The main branch has moved on, and git on this machine is too old to merge: 2.38 or newer is needed.',
    }
  if (/unrelated histories/.test(output)) return { sentence: 'The branch shares no history with the main branch.' }
  throw error
}
