import { spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { cut } from '@docket/sources/text'
import {
  runAction,
  type Action,
  describeConflict,
  findRefusals,
  checkMergeability,
  type Mergeability,
} from '#embedded/pull-requests/actions.ts'
import { readCommitAt, listCommits, type Commit } from '#embedded/pull-requests/commits.ts'
import { readDiff, type Diff } from '#embedded/pull-requests/diff.ts'
import { listPullRequests, type PullRequest } from '#embedded/pull-requests/pull-requests.ts'
import { updateFolder, type FolderUpdate } from '#embedded/folder/update-folder.ts'
import type { FolderState } from '#embedded/folder/folder-state.ts'
import type { Repositories } from './repositories.ts'
import { mainBranch, type Repository } from './repository.ts'
import { syncOrigin } from './sync-origin.ts'
import { isolate } from '@docket/sources/git/git'

/** A request of git's smart HTTP protocol: the list of refs, or a fetch with what git sent. */
type CloneRequest = {
  /** Decompressed content of a `git-upload-pack` request. Null to list the refs. */
  fetch: Uint8Array | null
  protocol: string | undefined
  signal: AbortSignal
}

/** `busy` when there are too many clones at once. */
type CloneAnswer = { contentType: string; body: Readable } | 'busy'

const maxAtOnce = 8
const maxMs = 10 * 60_000
let underWay = 0

/** Runs `git upload-pack`, which only reads, isolated as every other git command. */
const serveClone = ({ gitDir }: Repository, { fetch, protocol = '', signal }: CloneRequest): Promise<CloneAnswer> => {
  if (underWay >= maxAtOnce) return Promise.resolve('busy')
  underWay += 1
  const { settings, env } = isolate(gitDir)
  const how = fetch === null ? ['--http-backend-info-refs'] : []
  const version = /^version=[0-2]$/.test(protocol) ? { GIT_PROTOCOL: protocol } : {}
  const child = spawn('git', [...settings, 'upload-pack', '--strict', '--stateless-rpc', ...how, gitDir], {
    env: { ...env, ...version },
    stdio: ['pipe', 'pipe', 'ignore'],
    signal: AbortSignal.any([signal, AbortSignal.timeout(maxMs)]),
    killSignal: 'SIGKILL',
  })
  child.stdin.on('error', () => {})
  child.stdin.end(fetch ?? '')
  child.once('close', () => (underWay -= 1))
  // Stops git when the client disconnects, because git would wait for it otherwise.
  child.stdout.once('close', () => child.kill('SIGKILL'))
  return new Promise((resolve, reject) => {
    // Aborts end here too. The response has begun by then, so its stream ends early.
    child.once('error', (error) => {
      child.stdout.destroy(error)
      reject(error)
    })
    child.once('spawn', () => {
      if (fetch !== null) resolve({ contentType: 'application/x-git-upload-pack-result', body: child.stdout })
      else
        resolve({
          contentType: 'application/x-git-upload-pack-advertisement',
          body: Readable.from(formatAnnouncement(child.stdout)),
        })
    })
  })
}

async function* formatAnnouncement(refs: Readable) {
  yield '001e# service=git-upload-pack\n0000'
  yield* refs
}

export type PullFilter = PullRequest['state'] | 'all'

export type BranchJob = { id: string; title: string }

const limits = { perPage: 50, title: 300, body: 20_000 }

/** Every call resolves to null for an unknown project, pull request or commit. Rights are checked by the caller. */
export const createEmbeddedCodeHost = (deps: {
  repositories: Repositories
  findJob: (projectId: string, branch: string) => Promise<BranchJob | null>
  now: () => Date
}) => {
  const { repositories, findJob, now } = deps

  const readPull = async (projectId: string, number: number) => {
    const repository = await repositories.open(projectId)
    if (!repository) return null
    const all = await listPullRequests(repository)
    const pull = all.find((candidate) => candidate.number === number)
    if (!pull) return null
    const { git } = repository
    // For a merged pull request, compares with the main branch before the merge.
    const against = pull.state === 'merged' ? (pull.mergedInto ?? pull.base) : mainBranch
    const [commits, diff, mergeability] = await Promise.all([
      listCommits(git, `${against}..${pull.head}`),
      readDiff(git, against, pull.head),
      pull.state === 'open' ? checkMergeability(repository, pull) : null,
    ])
    return {
      ...summarisePullRequest(pull),
      body: cut(pull.body, limits.body),
      head: pull.head,
      mergeability: mergeability && describeMergeability(mergeability),
      refusals: await findRefusals({ repository, pull, all, mergeability }),
      changes: { ...commits, diff },
      job: await findJob(projectId, pull.branch),
    }
  }

  return {
    projectIds: repositories.projectIds,
    /** Open pull requests by project. Null when a project was never used, because its repository is created on first use. */
    listProjects: (): Promise<{ projectId: string; openPulls: number | null }[]> =>
      Promise.all(
        repositories.projectIds.map(async (projectId) => {
          const repository = await repositories.find(projectId)
          const pulls = repository && (await listPullRequests(repository))
          return { projectId, openPulls: pulls && pulls.filter(({ state }) => state === 'open').length }
        }),
      ),
    /**
     * Pull requests of a project, newest first, 50 at a time, with a number below `before`. `next` is the `before` of the next page, or null;
     * `folder` is null unless the project is a folder.
     */
    listPulls: async (
      projectId: string,
      { state, before = Infinity }: { state: PullFilter; before?: number | undefined },
    ) => {
      const repository = await repositories.open(projectId)
      if (!repository) return null
      const isFolder = 'path' in repository.origin
      // Pull requests are stored here, so they are available even if the remote repository can't be read.
      const folderState = await syncOrigin(repository).catch((error: unknown) => {
        if (isFolder) throw error
        return null
      })
      const folder = folderState && describeFolder(folderState)
      const all = await listPullRequests(repository)
      const counts = { open: 0, merged: 0, closed: 0 }
      for (const pull of all) counts[pull.state] += 1
      const found = all.filter((pull) => pull.number < before && (state === 'all' || pull.state === state))
      const pulls = found.slice(0, limits.perPage).map(summarisePullRequest)
      return { folder, counts, pulls, next: found.length > pulls.length ? (pulls.at(-1)?.number ?? null) : null }
    },
    readPull,
    /** A commit by its full hash, with its changes against its first parent. */
    readCommit: async (projectId: string, hash: string): Promise<(Commit & { diff: Diff }) | null> => {
      const repository = await repositories.open(projectId)
      const commit = repository && (await readCommitAt(repository.git, hash))
      return commit && { ...commit, diff: await readDiff(repository.git, commit.parents[0], commit.hash) }
    },
    /** `head` is the commit that the user saw. */
    runAction: async (
      action: Action,
      { projectId, number, head }: { projectId: string; number: number; head: string },
    ) => {
      const repository = await repositories.open(projectId)
      const outcome = repository && (await runAction(action, repository, { number, seenHead: head, now: now() }))
      if (!outcome) return null
      const { pull, changed, sentence } = outcome
      return { changed, refused: sentence, job: await findJob(projectId, pull.branch) }
    },
    /** `main` is the commit that the user saw. */
    updateFolder: async (projectId: string, main: string): Promise<FolderUpdate | null> => {
      const repository = await repositories.open(projectId)
      if (!repository) return null
      const { origin } = repository
      return 'path' in origin ? updateFolder({ ...repository, origin }, main) : null
    },
    serveClone: async (projectId: string, request: CloneRequest): Promise<CloneAnswer | null> => {
      const repository = await repositories.open(projectId)
      return repository && serveClone(repository, request)
    },
  }
}

const summarisePullRequest = ({ number, title, branch, state, openedAt, endedAt }: PullRequest) => ({
  number,
  title: cut(title, limits.title),
  branch,
  state,
  openedAt,
  endedAt,
})

const describeMergeability = (found: Mergeability): { canMerge: boolean; sentence: string } => {
  if (found.kind === 'fast-forward')
    return { canMerge: true, sentence: 'Ready to merge. The main branch moves to its last commit.' }
  if (found.kind === 'merge')
    return { canMerge: true, sentence: 'Ready to merge. The main branch has newer commits, but no conflict.' }
  if (found.kind === 'impossible') return { canMerge: false, sentence: found.sentence }
  const remedy = 'Close it, delete its branch, and send the job a message: it starts from the main branch then.'
  return { canMerge: false, sentence: `${describeConflict(found.files)} ${remedy}` }
}

const describeFolder = (state: FolderState) => {
  const { main, head, behind, writing, problem } = state
  const isCurrent = behind === 0 && writing === null
  const canUpdate = problem === null && head !== null && !isCurrent
  return {
    main,
    behind,
    canUpdate,
    isUpToDate: problem === null && isCurrent,
    sentence: describeFolderState(state),
  }
}

const describeFolderState = ({ behind, writing, problem }: FolderState): string => {
  const distance = `The folder is ${behind} ${behind === 1 ? 'commit' : 'commits'} behind the main branch.`
  if (problem !== null) return behind > 0 ? `${distance} ${problem}` : problem
  if (writing !== null) return 'An update of the folder was interrupted. Update it again to complete it.'
  return behind > 0 ? distance : 'The folder is up to date.'
}
