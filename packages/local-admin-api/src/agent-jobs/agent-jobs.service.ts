import { randomUUID } from 'node:crypto'
import type { Projects, Project } from '@docket/code-hosts/code-host'
import type { MaintenanceOrder } from '@docket/doc-agent/recipes/order'
import { maintenanceModel } from '@docket/doc-agent/runners/built-in'
import type { Runner } from '@docket/doc-agent/runners/runner'
import { jobBranches, findLimitReason } from '@docket/doc-agent/work/open-pull-requests'
import { defaultRules, type RepositoryRules } from '@docket/doc-agent/work/repository-rules'
import type { WorkFolders } from '@docket/sandbox/work-folders'
import { readChanges } from './job-details.ts'
import type { JobLogs } from './job-logs.ts'
import type { Queues } from '#database/queues.ts'
import { noRoom } from '#files/disk-problem.ts'
import type { Log } from '#log.ts'
import type { AgentOptions } from '#options.ts'
import type { OwnCodeHost } from '#service/claims.ts'
import { type AgentJobRecord, createTurn, type RequestedBy, toTitle, type Turn, toBranch } from './agent-job.ts'
import { checkDayCost, workOnJobs } from './work-on-jobs.ts'
import type { AgentJobStore } from './agent-job-store.ts'

const maxTidied = 100
/** Milliseconds. */
const limitMs = 30_000

/** Removes the merged branches of archived jobs, one at a time in this process. Removing a branch twice is harmless. */
const createBranchTidier = (deps: { store: AgentJobStore; projects: Projects; log: Log }) => {
  const { store, projects, log } = deps
  const closing = new AbortController()
  let last: Promise<void> = Promise.resolve()

  const tidyNow = async (id: string) => {
    if (closing.signal.aborted) return
    const job = await store.find(id)
    if (job?.status !== 'archived' || job.branchRemoved) return
    const project = await projects.open(job.projectId)
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(limitMs)])
    if (project && (await removeMergedBranch(job, project, signal)))
      await store.change(id, (current) => ({ ...current, branchRemoved: true }))
  }
  const tidy = (id: string) => {
    last = last
      .then(() => tidyNow(id))
      .catch((error: unknown) => log.error({ id, err: error }, 'the branch of an agent job could not be removed'))
  }
  return {
    tidy,
    /** Checks old branches again, because of a crash or a later merge. */
    resume: async () => {
      for (const id of await store.listUntidy(maxTidied)) tidy(id)
    },
    close: () => {
      closing.abort()
      return last
    },
  }
}

/** Keeps a branch with commits by others, or whose pull request may be reopened. Resolves with true once it is removed. */
const removeMergedBranch = async (
  job: Pick<AgentJobRecord, 'id' | 'turns'>,
  project: Project,
  signal: AbortSignal,
): Promise<boolean> => {
  const branch = toBranch(job)
  const commit = job.turns.findLast((turn) => turn.commit !== null && turn.outcome === 'completed')?.commit
  if (!commit) return true
  const pull = await project.findPullRequest(branch, signal)
  if (pull?.state !== 'merged') return false
  const head = await project.readHead(branch, signal)
  if (head === null) return true
  if (head !== commit) return false
  await project.removeBranch(branch, commit, signal)
  return true
}

/** `retryAfter` is in seconds. */
export type Refusal =
  | { kind: 'not-found' }
  /** `sentence` is the reason for the reader, unless it is the number of requests. */
  | { kind: 'too-many'; retryAfter: number; sentence?: string }
  | { kind: 'conflict'; sentence: string }
  | { kind: 'no-room'; sentence: string }
  | { kind: 'not-understood'; sentence: string }

export const isRefusal = (answer: AgentJobRecord | Refusal): answer is Refusal => 'kind' in answer

const dayMs = 86_400_000
const archiveEveryMs = 10 * 60_000
const archiveAtOnce = 500
/** Maximum messages per job, because a job is one row and one page. */
const maxTurns = 100

export const createAgentJobService = (deps: {
  store: AgentJobStore
  /** Set once the queues are open. */
  queues: () => Queues
  projects: Projects
  /** The embedded code host of this process. Null when all projects are on remote code hosts. */
  codeHost: OwnCodeHost | null
  runner: Runner
  workFolders: WorkFolders
  logs: JobLogs
  now: () => Date
  log: Log
  hasRoom?: (() => boolean) | undefined
  /** `pushGraceMs` is the time that a started push still has after a cancel; 20 s. */
  limits?: Pick<AgentOptions, 'minutes' | 'archiveDays' | 'perHour' | 'atOnce' | 'dayMaxUsd' | 'rules'> & {
    pushGraceMs?: number
  }
}) => {
  const { store, projects, codeHost, runner, logs, now, log, limits = {}, hasRoom = () => true } = deps
  const { minutes = 30, archiveDays = 30, perHour = 100, atOnce = 2, dayMaxUsd = null, pushGraceMs = 20_000 } = limits
  const rules = { ...defaultRules, ...limits.rules }
  const marker = codeHost?.marker ?? null
  const work = workOnJobs({
    ...deps,
    codeHost: marker,
    rules,
    limitMs: minutes * 60_000,
    atOnce,
    dayMaxUsd,
    pushGraceMs,
  })
  const branches = createBranchTidier({ store, projects, log })

  /** `prompt` is null for a maintenance order, which needs no agent and costs nothing. */
  const refuse = async (
    projectId: string,
    kind: 'jobs' | 'messages',
    prompt: string | null,
  ): Promise<Refusal | null> => {
    // Only this process can work on projects of its embedded code host.
    if (atOnce === 0 && findCodeHost(projectId) !== null) return { kind: 'conflict', sentence: describeIdle(projectId) }
    const problem = prompt === null ? null : (runner.check?.(prompt) ?? null)
    if (problem !== null) return { kind: 'not-understood', sentence: problem }
    const times = await store.listSent(projectId, kind, new Date(now().getTime() - hourMs))
    const retryAfter = retryAfterSeconds(times, perHour, now())
    if (retryAfter !== null) return { kind: 'too-many', retryAfter }
    if (!hasRoom()) return { kind: 'no-room', sentence: noRoom }
    const limit = prompt === null ? null : await checkDayCost(store, dayMaxUsd, now())
    if (limit === null) return null
    // An operator may raise the limit before the day ends.
    const seconds = Math.ceil((limit.opensAt.getTime() - now().getTime()) / 1000)
    return { kind: 'too-many', retryAfter: Math.min(3600, Math.max(1, seconds)), sentence: limit.sentence }
  }
  const findCodeHost = (projectId: string) => (codeHost?.projectIds.includes(projectId) ? codeHost.marker : null)
  const chooseModel = ({ maintenance }: Turn) => (maintenance === null ? runner.model : maintenanceModel)
  const get = async (projectId: string, id: string) => {
    const job = await store.find(id)
    return job?.projectId === projectId ? job : null
  }
  const archived = (job: AgentJobRecord): AgentJobRecord => ({
    ...job,
    status: 'archived',
    archivedAt: now().toISOString(),
  })
  const isOver = (job: AgentJobRecord) => job.status === 'completed' || job.status === 'failed'
  const archiveIf = async (id: string, fits: (job: AgentJobRecord) => boolean) => {
    let isNew = false
    const job = await store.change(id, (current) => {
      isNew = isOver(current) && fits(current)
      return isNew ? archived(current) : null
    })
    if (isNew) branches.tidy(id)
    return job
  }
  const archiveOld = async () => {
    const before = new Date(now().getTime() - archiveDays * dayMs)
    let ids: string[]
    do {
      ids = await store.listEnded(before, archiveAtOnce)
      for (const id of ids)
        await archiveIf(id, (job) => Date.parse(job.turns.at(-1)!.finishedAt ?? job.createdAt) <= before.getTime())
    } while (ids.length === archiveAtOnce)
  }
  const archiveQuietly = () =>
    archiveOld().catch((error: unknown) => log.error({ err: error }, 'old agent jobs could not be archived'))

  const archiving = setInterval(() => void archiveQuietly(), archiveEveryMs).unref()
  return {
    projectIds: projects.projectIds,
    model: runner.model,
    queues: work.queues,
    /** Resumes work that other processes left. Requires open queues. */
    resume: async () => {
      await work.sweep()
      await archiveQuietly()
      await branches.resume()
    },
    /** Resolves when the job is in the database. */
    create: async (
      projectId: string,
      prompt: string,
      requestedBy: RequestedBy | null = null,
      maintenance: MaintenanceOrder | null = null,
    ): Promise<AgentJobRecord | Refusal> => {
      if (!projects.projectIds.includes(projectId)) return { kind: 'not-found' }
      const refused = await refuse(projectId, 'jobs', maintenance === null ? prompt : null)
      if (refused) return refused
      const full = await findFullProject(projects, projectId, rules.openPullRequests)
      if (full !== null) return { kind: 'conflict', sentence: full }
      const turn = createTurn(prompt, now(), limitRequester(requestedBy, rules.requester), maintenance)
      const job = await store.add({
        id: randomUUID(),
        projectId,
        codeHost: findCodeHost(projectId),
        status: 'active',
        model: chooseModel(turn),
        turns: [turn],
        pullRequest: null,
        createdAt: turn.sentAt,
        archivedAt: null,
        branchRemoved: false,
      })
      await work.queue(job)
      return job
    },
    /** Resolves when the message is in the database. */
    send: async (
      projectId: string,
      id: string,
      prompt: string,
      requestedBy: RequestedBy | null = null,
      maintenance: MaintenanceOrder | null = null,
    ): Promise<AgentJobRecord | Refusal> => {
      if (!(await get(projectId, id))) return { kind: 'not-found' }
      const refused = await refuse(projectId, 'messages', maintenance === null ? prompt : null)
      if (refused) return refused
      const turn = createTurn(prompt, now(), limitRequester(requestedBy, rules.requester), maintenance)
      let conflict: string | null = null
      const job = await store.change(id, (current) => {
        conflict = whyNot(current, projects)
        return conflict === null
          ? {
              ...current,
              codeHost: findCodeHost(projectId),
              status: 'active',
              model: chooseModel(turn),
              turns: [...current.turns, turn],
            }
          : null
      })
      if (conflict !== null) return { kind: 'conflict', sentence: conflict }
      await work.queue(job)
      return job
    },
    get,
    /** Jobs, newest first. Null for an unknown project; a removed project is known as long as it has jobs. */
    listProject: async (projectId: string, page: { skip: number; take: number }) => {
      const jobs = await store.listProject(projectId, page)
      const isKnown = jobs.length > 0 || projects.projectIds.includes(projectId) || (await store.hasJobs(projectId))
      return isKnown ? jobs : null
    },
    findByBranch: async (projectId: string, branch: string) => {
      const job = branch.startsWith(jobBranches) ? await get(projectId, branch.slice(jobBranches.length)) : null
      return job && { id: job.id, title: toTitle(job, 200) }
    },
    /** Null for an unknown job. */
    archive: async (projectId: string, id: string) => (await get(projectId, id)) && archiveIf(id, () => true),
    cancel: async (projectId: string, id: string): Promise<AgentJobRecord | Refusal> => {
      const job = await get(projectId, id)
      if (!job) return { kind: 'not-found' }
      if (job.status === 'active') return work.cancel(id)
      if (job.status === 'failed' && job.turns.at(-1)!.outcome === 'cancelled') return job
      const state = job.status === 'archived' ? 'The job is archived' : 'The job has already ended'
      return { kind: 'conflict', sentence: `${state}, so there is nothing to cancel.` }
    },
    live: async ({ id, status, turns }: AgentJobRecord) => {
      const current = turns.find(({ outcome }) => outcome === null)
      if (status !== 'active' || !current) return { queuePosition: null, lastLine: null }
      return current.startedAt === null
        ? { queuePosition: await store.findPosition(id), lastLine: null }
        : { queuePosition: null, lastLine: await logs.lastLine(id) }
    },
    readLog: async ({ id }: AgentJobRecord, offset: number) => {
      // Checks for the end first, so that everything written before it is in this part.
      const isDone = (await store.find(id))?.status !== 'active'
      const { isAtEnd, ...part } = await logs.read(id, offset)
      return { ...part, ended: isDone && isAtEnd }
    },
    /** Null when nothing was pushed or the job does not exist. */
    changes: async (projectId: string, id: string) => {
      const job = await get(projectId, id)
      return job && readChanges(projects, job)
    },
    /** Also runs at the start and every ten minutes. */
    archiveOld,
    /** Call after closing the queues, which stops the work: running turns fail, others run elsewhere or after the next start. */
    close: async () => {
      clearInterval(archiving)
      work.close()
      await branches.close()
    },
  }
}

export type AgentJobs = ReturnType<typeof createAgentJobService>

/** Keeps only the personal data that pull requests will contain. */
const limitRequester = (by: RequestedBy | null, mode: RepositoryRules['requester']): RequestedBy | null => {
  if (by === null || mode === 'none') return null
  return mode === 'co-author' ? by : { name: by.name, email: null }
}

const describeIdle = (projectId: string): string =>
  `Only this Docket has the repository of ${projectId}, and it works on no agent jobs. Start it without --no-workers and with AGENT_JOBS_AT_ONCE above 0, or use a git repository of a code host for ${projectId} in LOCAL_PROJECTS.`

const whyNot = (job: AgentJobRecord, projects: Projects): string | null => {
  if (job.status === 'archived') return 'The job is archived and accepts no more messages. Create a new one.'
  if (!projects.projectIds.includes(job.projectId))
    return `The project ${job.projectId} is not in LOCAL_PROJECTS, or another Docket on this database has its repository.`
  if (job.turns.length >= maxTurns) return `The job has the maximum of ${maxTurns} messages. Create a new one.`
  return null
}

const hourMs = 3_600_000

/** Seconds to wait, 1 to 3600; null when a message may be sent now. Times after `now` count for at most an hour. */
export const retryAfterSeconds = (times: readonly string[], perHour: number, now: Date): number | null => {
  const recent = times
    .map((time) => Date.parse(time) - now.getTime())
    .filter((age) => Math.abs(age) < hourMs)
    .toSorted((a, b) => a - b)
  if (recent.length < perHour) return null
  const leaves = recent[recent.length - perHour]!
  return Math.min(3600, Math.max(1, Math.ceil((leaves + hourMs) / 1000)))
}

/** How long creating a job waits for a code host. The limit is checked again before the work begins. Milliseconds. */
const patienceMs = 3_000

/** Reason why open pull requests prevent a new job. Null when they don't, or the code host does not answer. */
const findFullProject = async (projects: Projects, projectId: string, limit: number | null): Promise<string | null> => {
  if (limit === null) return null
  try {
    const project = await projects.open(projectId)
    return project && (await findLimitReason(project, null, limit, AbortSignal.timeout(patienceMs)))
  } catch {
    return null
  }
}
