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

/** All reserved job ids, for the documentation and its test. Ids that begin with `vanishes` count as one. */
export const sentinelIds: readonly string[] = [...Object.keys(changes), 'vanishes…', 'rate-limited']

/** Jobs in the list of the reserved project; null when the project is an ordinary one. */
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

/** Answers reads of reserved job ids; null when the project is an ordinary one. */
export type SentinelJobs = (projectId: string, id: string) => Response | null

/** Reserved ids, with a memory of its own for those that change while they are read. */
export const sentinelJobs = (): SentinelJobs => {
  const readsOfVanishing = new Map<string, number>()
  const vanishing = (id: string) => {
    const reads = (readsOfVanishing.get(id) ?? 0) + 1
    if (readsOfVanishing.size >= 1000) readsOfVanishing.clear()
    readsOfVanishing.set(id, reads)
    return reads > 2 ? notFound() : Response.json({ id, ...snapshot })
  }
  return (projectId, id) => {
    if (projectId !== sentinelProject) return null
    if (id.startsWith('vanishes')) return vanishing(id)
    if (id === 'rate-limited') return rateLimited()
    return Object.hasOwn(changes, id) ? Response.json({ id, ...snapshot, ...changes[id] }) : notFound()
  }
}

/** Answer to a prompt in the reserved project; `lost` closes the connection. */
type SentinelAnswer = Response | 'lost'

const prompts: Readonly<Record<string, () => SentinelAnswer>> = {
  'lost-answer': () => 'lost',
  'not-allowed': () => Response.json({ error: 'Agent jobs are not enabled for this organization' }, { status: 403 }),
  'rate-limited': () => rateLimited(),
}

/** All reserved prompts, for the documentation and its test. */
export const sentinelPrompts: readonly string[] = Object.keys(prompts)

/** Answers prompts of the reserved project, for a new job or for the job `id`; null when the project is an ordinary one. */
export const sentinelPrompt = (projectId: string, id: string | null, prompt: string): SentinelAnswer | null => {
  if (projectId !== sentinelProject) return null
  if (id === 'archived') return Response.json({ error: 'The job is archived' }, { status: 409 })
  return (Object.hasOwn(prompts, prompt) ? prompts[prompt] : undefined)?.() ?? notFound()
}

const notFound = () => Response.json({ error: 'Agent job not found' }, { status: 404 })

const rateLimited = () =>
  Response.json({ error: 'Too many requests' }, { status: 429, headers: { 'retry-after': '5' } })
