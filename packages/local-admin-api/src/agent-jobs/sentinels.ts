/** Project whose jobs are reserved ids that show every state a client can meet. */
export const sentinelProject = 'sentinel'

const createdAt = '2026-01-05T09:30:00.000Z'

const snapshot = {
  status: 'active',
  source: { repository: 'https://github.com/example/handbook', ref: 'docs-agent/sentinel' },
  model: 'sentinel',
  prLink: null,
  createdAt,
  archivedAt: null,
}

const untold = {
  title: null,
  report: null,
  error: null,
  startedAt: null,
  finishedAt: null,
  queuePosition: null,
  lastLine: null,
  diffStat: null,
  usage: null,
  pullRequest: null,
}

const startedAt = '2026-01-05T09:31:00.000Z'
const finishedAt = '2026-01-05T09:34:20.000Z'
const usage = { inputTokens: 48_210, outputTokens: 3150, costUsd: 0.19 }
const done = {
  status: 'completed',
  prLink: 'https://github.com/example/handbook/pull/42',
  title: 'Describe the new retry limits',
  report: 'Described the retry limits on 2 pages.\nThe old limit of 5 is still named in the changelog.',
  startedAt,
  finishedAt,
  diffStat: { files: 2, added: 31, removed: 7 },
  usage,
}
const pull = { number: 42, title: 'Describe the new retry limits', state: 'open', checks: 'passing', mergeable: true }
const longReason = [
  'The command ended with exit code 1.',
  ...Array.from({ length: 120 }, (_, line) => `guide/page-${line + 1}.md: the example does not compile`),
].join('\n')

const stories: Readonly<Record<string, object>> = {
  waiting: { title: 'Fix the links of the guide', queuePosition: 3 },
  working: { title: 'Translate the quickstart', startedAt, lastLine: 'Reading guide/quickstart.md', usage },
  reviewed: { ...done, pullRequest: pull },
  merged: { ...done, pullRequest: { ...pull, state: 'merged', mergeable: null } },
  closed: { ...done, pullRequest: { ...pull, state: 'closed', checks: 'failing', mergeable: false } },
  'nothing-to-change': {
    ...done,
    prLink: null,
    title: 'Fix typos',
    report: 'Nothing to change.\nNo known misspelling is on any page.',
    diffStat: null,
  },
  cancelled: { status: 'failed', title: 'Rewrite everything', error: 'cancelled', startedAt, finishedAt },
  'long-reason': { status: 'failed', title: 'Check the examples', error: longReason, startedAt, finishedAt },
  'mistyped-story': {
    title: { text: 'x' },
    report: 7,
    error: ['x'],
    startedAt: 'yesterday',
    queuePosition: -1,
    lastLine: 5,
    diffStat: { files: 'many' },
    usage: 'much',
    pullRequest: [42],
  },
}

const log = '--- Turn 1, 2026-01-05T09:31:00.000Z ---\nChecking out the repository.\nReading guide/quickstart.md\n'

const changes: Readonly<Record<string, object>> = {
  active: {},
  'pull-request': { status: 'completed', prLink: 'https://github.com/example/handbook/pull/42' },
  'merge-request': { status: 'completed', prLink: 'https://gitlab.com/example/team/handbook/-/merge_requests/7' },
  'no-pull-request': { status: 'completed' },
  failed: { status: 'failed' },
  archived: { status: 'archived', archivedAt: '2026-02-01T00:00:00.000Z' },
  'unknown-status': { status: 'waiting_for_review' },
  nulls: { source: { repository: null, ref: null }, model: null, createdAt: null },
  mistyped: { status: 7, source: 'nowhere', model: ['x'], prLink: { href: 1 }, createdAt: 'yesterday' },
  'unsafe-links': {
    status: 'completed',
    prLink: 'javascript:alert(document.domain)',
    source: { repository: 'https://user:secret@example.com/handbook', ref: '../../etc' },
  },
}

/** Ids that begin with `vanishes` count as one. */
export const sentinelIds: readonly string[] = [
  ...Object.keys(changes),
  ...Object.keys(stories),
  'vanishes…',
  'rate-limited',
]

export const sentinelList = (projectId: string) =>
  projectId === sentinelProject
    ? Object.keys(changes).map((id) => ({
        id,
        title: `Reserved job ${id}`,
        todos: [],
        haulted: id === 'failed',
        haultReason: id === 'failed' ? 'The agent met an error.' : null,
        messageToUser: null,
        createdAt,
      }))
    : null

/** Answers reads of reserved job ids; null when the project is an ordinary one. `strict` knows only the fields of the Admin API. */
export type SentinelJobs = (projectId: string, id: string, strict?: boolean) => Response | null

export const sentinelJobs = (): SentinelJobs => {
  const readsOfVanishing = new Map<string, number>()
  const vanishing = (id: string) => {
    const reads = (readsOfVanishing.get(id) ?? 0) + 1
    if (readsOfVanishing.size >= 1000) readsOfVanishing.clear()
    readsOfVanishing.set(id, reads)
    return reads > 2 ? notFound() : Response.json({ id, ...snapshot })
  }
  return (projectId, id, strict = false) => {
    if (projectId !== sentinelProject) return null
    if (id.startsWith('vanishes')) return vanishing(id)
    if (id === 'rate-limited') return rateLimited()
    if (Object.hasOwn(stories, id) && !strict) return Response.json({ id, ...snapshot, ...untold, ...stories[id] })
    return Object.hasOwn(changes, id) ? Response.json({ id, ...snapshot, ...changes[id] }) : notFound()
  }
}

/** Response to a prompt in the reserved project; `lost` closes the connection. */
type SentinelAnswer = Response | 'lost'

const prompts: Readonly<Record<string, () => SentinelAnswer>> = {
  'lost-answer': () => 'lost',
  'not-allowed': () => Response.json({ error: 'Agent jobs are not enabled for this organization' }, { status: 403 }),
  'rate-limited': () => rateLimited(),
}

export const sentinelPrompts: readonly string[] = Object.keys(prompts)

export const sentinelPrompt = (projectId: string, id: string | null, prompt: string): SentinelAnswer | null => {
  if (projectId !== sentinelProject) return null
  if (id === 'archived') return Response.json({ error: 'The job is archived' }, { status: 409 })
  return (Object.hasOwn(prompts, prompt) ? prompts[prompt] : undefined)?.() ?? notFound()
}

export const sentinelAction = (projectId: string, id: string, action: 'cancel' | 'archive'): Response | null => {
  if (projectId !== sentinelProject) return null
  const story = Object.hasOwn(stories, id) ? stories[id] : undefined
  if (!story)
    return Object.hasOwn(changes, id) ? Response.json({ error: 'The job has ended' }, { status: 409 }) : notFound()
  const job = { id, ...snapshot, ...untold, ...story }
  const isActive = job.status === 'active'
  if (isActive !== (action === 'cancel') && id !== 'cancelled')
    return Response.json({ error: isActive ? 'The job is still active' : 'The job has ended' }, { status: 409 })
  const outcome =
    action === 'cancel' ? { status: 'failed', error: 'cancelled' } : { status: 'archived', archivedAt: finishedAt }
  return Response.json({ ...job, ...outcome, queuePosition: null, lastLine: null })
}

export const sentinelLog = (projectId: string, id: string, offset: number): Response | null => {
  if (projectId !== sentinelProject) return null
  if (!Object.hasOwn(stories, id)) return notFound()
  const text = id === 'waiting' ? '' : log.slice(offset)
  return Response.json({
    text,
    nextOffset: offset + text.length,
    isCut: false,
    ended: id !== 'waiting' && id !== 'working',
  })
}

const notFound = () => Response.json({ error: 'Agent job not found' }, { status: 404 })

const rateLimited = () =>
  Response.json({ error: 'Too many requests' }, { status: 429, headers: { 'retry-after': '5' } })
