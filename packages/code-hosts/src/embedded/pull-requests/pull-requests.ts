import { z } from 'zod'
import { inTurn, mainBranch, type Repository } from '#embedded/repository.ts'

/** Stored in the repository itself, as a ref to a blob. Old records lack the fields with defaults. */
const PullRequestRecord = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string(),
  branch: z.string(),
  base: z.string(),
  head: z.string(),
  openedAt: z.string(),
  state: z.enum(['open', 'merged', 'closed']).default('open'),
  /** Time of the merge or close. Null if it is open, or a crash prevented the record. */
  endedAt: z.string().nullable().default(null),
  mergedInto: z.string().nullable().default(null),
})

/** `head` follows the branch while it is open; `branchHead` is the branch's current commit, or null. Times are ISO 8601, UTC. */
export type PullRequest = z.infer<typeof PullRequestRecord> & { branchHead: string | null }

/** Ref that keeps the commits of a pull request, even after its branch is removed. */
export const toHeadRef = (number: number) => `refs/pull/${number}/head`
const recordRef = (number: number) => `refs/pull/${number}/record`

export const openPullRequest = (
  repository: Repository,
  request: { branch: string; title: string; body: string; now: Date },
): Promise<PullRequest> =>
  inTurn(repository.gitDir, async () => {
    const all = await listPullRequests(repository)
    const existing = all.find((pull) => pull.branch === request.branch && pull.state === 'open')
    if (existing) return existing
    const { git } = repository
    const base = (await git(['rev-parse', mainBranch])).trim()
    const head = (await git(['rev-parse', `refs/heads/${request.branch}`])).trim()
    const { now, ...described } = request
    const opened = { number: (all[0]?.number ?? 0) + 1, ...described, base, head, openedAt: now.toISOString() }
    const pull = PullRequestRecord.parse(opened)
    const blob = await recordBlob(repository, pull)
    // Fails completely when the number already exists. Writes the record last, because a pull request exists from then
    // on.
    await changeRefs(repository, [
      `create ${toHeadRef(pull.number)} ${head}`,
      `create ${recordRef(pull.number)} ${blob}`,
    ])
    return { ...pull, branchHead: head }
  })

/** All pull requests of a repository, newest first. Runs git three times, however many there are. */
export const listPullRequests = async ({ git }: Repository): Promise<PullRequest[]> => {
  const refLines = await git(['for-each-ref', '--format=%(refname) %(objectname)', 'refs/pull', 'refs/heads'])
  const refs = new Map(splitLines(refLines).map((line) => line.split(' ', 2) as [string, string]))
  const merged = ['for-each-ref', `--merged=refs/heads/${mainBranch}`, '--format=%(refname)', 'refs/pull/*/head']
  const inMain = new Set(splitLines(await git(merged)))
  const records = [...refs].filter(([ref]) => ref.endsWith('/record')).map(([, blob]) => `${blob}\n`)
  const contents = await git(['cat-file', '--batch=%(objecttype)'], { input: records.join('') })
  return (
    splitLines(contents)
      // A record is one line of JSON; git's headers stand between them.
      .filter((line) => line.startsWith('{'))
      .map((line) => PullRequestRecord.parse(JSON.parse(line)))
      .map((record) => resolveState(record, refs, inMain))
      .toSorted((a, b) => b.number - a.number)
  )
}

/** The refs decide, because a crash may have come after the branch changed and before the record did. */
const resolveState = (
  record: z.infer<typeof PullRequestRecord>,
  refs: ReadonlyMap<string, string>,
  inMain: ReadonlySet<string>,
): PullRequest => {
  const savedHead = refs.get(toHeadRef(record.number)) ?? record.head
  const branchHead = refs.get(`refs/heads/${record.branch}`) ?? null
  if (record.state !== 'open') return { ...record, head: savedHead, branchHead }
  const head = branchHead ?? savedHead
  const isMerged = head === savedHead && inMain.has(toHeadRef(record.number))
  return { ...record, head, branchHead, state: isMerged ? 'merged' : 'open' }
}

/** Line of `git update-ref --stdin` that replaces the record of a pull request. */
export const recordChange = async (repository: Repository, pull: PullRequest): Promise<string> =>
  `update ${recordRef(pull.number)} ${await recordBlob(repository, pull)}`

const recordBlob = async ({ git }: Repository, pull: z.infer<typeof PullRequestRecord>) =>
  (await git(['hash-object', '-w', '--stdin'], { input: JSON.stringify(PullRequestRecord.parse(pull)) })).trim()

/** All changes are made, or none. `changes` are lines of `git update-ref --stdin`. */
export const changeRefs = async ({ git }: Pick<Repository, 'git'>, changes: readonly string[]): Promise<void> => {
  await git(['update-ref', '--stdin'], { input: `start\n${changes.join('\n')}\nprepare\ncommit\n` })
}

const splitLines = (text: string) => text.split('\n').filter((line) => line !== '')
