import { z } from 'zod'
import { CheckFailure } from '#ground/api-error.ts'
import {
  checkTimes,
  createListCounts,
  listedCheck,
  ListedCheckFailure,
  ListQuery,
  recordConnection,
  recordMarks,
  removalTimes,
  UpstreamLink,
  UsualDuration,
  watchedRecord,
} from '#ground/list.ts'
import { typedLine } from '#ground/text.ts'
import { connectionChoice, ConnectionQuery } from '#service/connections.ts'
import { DiffStat } from './changes.ts'

/** An identifier of the Admin API as people type it: 1 to 256 characters, no control characters, not `.` or `..`. */
export const UpstreamId = typedLine(256).refine((id) => id !== '.' && id !== '..', 'This is not an id.')

/** Names one agent job (Admin API §4.1). */
export const AgentJobKey = z.object({
  /** The project, from the API keys page of the service's dashboard. */
  projectId: UpstreamId,
  id: UpstreamId,
})
export type AgentJobKey = z.infer<typeof AgentJobKey>

/** Add one or several agent jobs. Each is read once upstream before it is on the list. */
export const FollowAgentJobs = z.object({ ...connectionChoice, jobs: z.array(AgentJobKey).min(1).max(50) })
export type FollowAgentJobs = z.infer<typeof FollowAgentJobs>

/**
 * State of an agent job as a reader understands it (Admin API §2.1): `waiting` active, and the service says that it is in line ·
 * `working` active · `pull_request_ready` completed with a link · `merged`, `closed` its pull request is · `finishing` completed without
 * one, less than an hour ago · `no_pull_request` completed without one · `nothing_to_change` the same, and the service's report says so ·
 * `failed` · `cancelled` failed, because a person cancelled it · `archived` · `unrecognised` a status the contract does not list (still
 * polled) · `gone` the service no longer knows it; the last snapshot stays.
 */
export const AgentJobMeaning = z.enum([
  'waiting',
  'working',
  'pull_request_ready',
  'merged',
  'closed',
  'finishing',
  'no_pull_request',
  'nothing_to_change',
  'failed',
  'cancelled',
  'archived',
  'unrecognised',
  'gone',
])
export type AgentJobMeaning = z.infer<typeof AgentJobMeaning>

/**
 * Group of a job in the list, independent of the clock: `working` includes `waiting` and `unrecognised`, `no_pull_request` includes
 * `finishing` and `nothing_to_change`.
 */
export const AgentJobGroup = z.enum([
  'working',
  'pull_request_ready',
  'merged',
  'closed',
  'no_pull_request',
  'failed',
  'cancelled',
  'archived',
  'gone',
])
export type AgentJobGroup = z.infer<typeof AgentJobGroup>

/** Filters and order of the list of jobs. `q` looks at title, prompts, reason, report, project, id, repository, branch and model. */
export const AgentJobListQuery = ListQuery.extend({
  group: AgentJobGroup.optional(),
  projectId: z.string().max(256).optional(),
  /** Exactly as the service sent them. */
  repository: z.string().max(2000).optional(),
  model: z.string().max(200).optional(),
  sort: z.enum(['newest', 'oldest', 'repository']).default('newest'),
})
export type AgentJobListQuery = z.infer<typeof AgentJobListQuery>

export const AgentJobCsvQuery = AgentJobListQuery.omit({ cursor: true, until: true, limit: true })
export type AgentJobCsvQuery = z.infer<typeof AgentJobCsvQuery>

export const PullRequestState = z.enum(['draft', 'open', 'merged', 'closed'])
export type PullRequestState = z.infer<typeof PullRequestState>

/** Known facts about a job's pull request besides its link. Unknown ones are null. */
export const AgentJobPullRequest = z.object({
  number: z.int().nullable(),
  title: z.string().nullable(),
  state: PullRequestState.nullable(),
  /** Source of `state`: the service's own answer, the code host's API, or a person who marked it. Null when it was not checked. */
  knownFrom: z.enum(['service', 'code_host', 'person']).nullable(),
  /** Time of the last call to the code host, or when the person marked it. ISO 8601, UTC. */
  checkedAt: z.iso.datetime().nullable(),
  /** Combined result of the checks of its head commit. */
  checks: z.enum(['passing', 'failing', 'pending']).nullable(),
  /** False: it conflicts with its base branch. */
  mergeable: z.boolean().nullable(),
  /** Why the code host's last answer was unusable; null after a good one, and in lists. */
  problem: z.string().nullish(),
})
export type AgentJobPullRequest = z.infer<typeof AgentJobPullRequest>

/** State of a pull request as a person knows it. Null withdraws an earlier one. */
export const MarkPullRequest = z.object({ state: z.enum(['open', 'merged', 'closed']).nullable() })
export type MarkPullRequest = z.infer<typeof MarkPullRequest>

/** Resources that the agent used, if reported. `costUsd` in US dollars. */
export const AgentUsage = z.object({
  inputTokens: z.int().nullable(),
  outputTokens: z.int().nullable(),
  costUsd: z.number().nullable(),
})
export type AgentUsage = z.infer<typeof AgentUsage>

/** Reason, for the reader, why something can't be done with a job now; null when it can. */
const Refusal = z.string().nullable()

/** Story of a job. Null where neither the service nor Docket knows it. Untrusted plain text. Left out by earlier builds. */
const agentJobStory = {
  /** First line of its first prompt; else the service's title, the pull request's title, or the branch. At most 200 characters. */
  title: z.string().nullish(),
  /** Name of the person or token that asked for it through Docket. */
  askedBy: z.string().nullish(),
  /** Place in line while it waits: 1 is next. */
  queuePosition: z.int().positive().nullish(),
  /** When work on its latest prompt began, by the service's clock. ISO 8601, UTC. */
  startedAt: z.iso.datetime().nullish(),
  /** One line: what the agent does while it works, the reason when it failed, or the report's first line. At most 300 characters. */
  summary: z.string().nullish(),
  diffStat: DiffStat.nullish(),
  pullRequest: AgentJobPullRequest.nullish(),
  usage: AgentUsage.nullish(),
  /** Actions that a person with the right role may take now. */
  actions: z.object({ cancel: Refusal, retry: Refusal, archive: Refusal }).nullish(),
}

/** One agent job on the list: its last snapshot (§2.1, §4.1) and Docket's interpretation. Fields left out or mistyped are null. */
export const AgentJob = z.object({
  ...recordConnection,
  ...watchedRecord,
  projectId: z.string(),
  id: z.string(),
  /** The service's own word, shown unchanged when the contract does not list it. Null when it sent none. */
  status: z.string().nullable(),
  meaning: AgentJobMeaning,
  source: z.object({
    repository: UpstreamLink.nullable(),
    ref: z.string().nullable(),
  }),
  model: z.string().nullable(),
  /** The pull request; null while active, or when none was reported. */
  prLink: UpstreamLink.nullable(),
  ...agentJobStory,
  /** The whole reason of a failure. */
  error: z.string().nullish(),
  /** The whole report of the latest turn. */
  report: z.string().nullish(),
  /** True when the service offers the log of the agent's output. */
  hasLog: z.boolean().nullish(),
  /** When the job was created, by the service's clock. ISO 8601, UTC. */
  createdAt: z.iso.datetime().nullable(),
  /** When the job was archived, by the service's clock. ISO 8601, UTC. */
  archivedAt: z.iso.datetime().nullable(),
  /** Time at which it was added to Docket. ISO 8601, UTC. */
  followedAt: z.iso.datetime(),
  /** False when it had ended before Docket saw it, so `finishedAt` is not its end. Left out by earlier builds. */
  wasSeenRunning: z.boolean().optional(),
  /** When Docket first saw it in a finished status; null while it is not finished. ISO 8601, UTC. */
  finishedAt: z.iso.datetime().nullable(),
  /** When Docket concluded that the service no longer knows it: at one 410, or at the third 404 within at least 30 s. ISO 8601, UTC. */
  goneAt: z.iso.datetime().nullable(),
  ...recordMarks,
  /** Usual duration for this repository; for all repositories while this one has too few finished jobs. */
  usual: UsualDuration.nullable(),
  ...removalTimes,
  ...checkTimes,
  /** The last read when it failed; null after a good one. */
  checkFailure: CheckFailure.nullable(),
})
export type AgentJob = z.infer<typeof AgentJob>

/** One agent job in a list, without what every check changes: `AgentJobChecks` has that. */
export const AgentJobItem = AgentJob.omit({
  checkedAt: true,
  nextCheckAt: true,
  error: true,
  report: true,
  hasLog: true,
}).extend({
  checkFailure: ListedCheckFailure.nullable(),
})
export type AgentJobItem = z.infer<typeof AgentJobItem>

/** Check times of the jobs on a page of the list, in its order. */
export const AgentJobChecks = z.object({
  checks: z.array(z.object({ ...recordConnection, projectId: z.string(), id: z.string(), ...listedCheck })),
})
export type AgentJobChecks = z.infer<typeof AgentJobChecks>

export const AgentJobLog = z.object({
  text: z.string(),
  /** Offset of the next part. UTF-8 bytes. */
  nextOffset: z.int().nonnegative(),
  /** True when the beginning was dropped, because the log is larger than the service keeps. */
  isCut: z.boolean(),
  /** True when nothing will follow. */
  ended: z.boolean(),
})
export type AgentJobLog = z.infer<typeof AgentJobLog>

export const AgentJobLogQuery = z.object({
  ...ConnectionQuery.shape,
  /** UTF-8 bytes to skip; `nextOffset` of the previous part. */
  offset: z.coerce.number<number>().int().min(0).default(0),
})

export const AgentJobList = z.object({
  items: z.array(AgentJobItem),
  nextCursor: z.string().nullable(),
  counts: createListCounts(AgentJobGroup),
})
export type AgentJobList = z.infer<typeof AgentJobList>

/** Result for each job of a `FollowAgentJobs`, in the same order. Docket does not add a job that it could not read. */
export const FollowAgentJobsResult = z.object({
  results: z.array(
    z.object({
      key: AgentJobKey,
      job: AgentJob.nullable(),
      /** True when it was on the list already. */
      already: z.boolean(),
      failure: CheckFailure.nullable(),
    }),
  ),
})
export type FollowAgentJobsResult = z.infer<typeof FollowAgentJobsResult>

/** One page of the service's own list of a project's jobs, where an admin switched it on for the connection. */
export const ListedAgentJobsQuery = z.object({
  ...ConnectionQuery.shape,
  projectId: UpstreamId,
  /** Entries to skip; `next` of the previous page. */
  skip: z.coerce.number<number>().int().min(0).max(1_000_000).default(0),
})

/** Jobs of a project as the service lists them, in its order. All texts are the service's own; null when it sent none. */
export const ListedAgentJobs = z.object({
  jobs: z.array(
    z.object({
      id: z.string(),
      title: z.string().nullable(),
      /** True when the service says that the job was halted. */
      halted: z.boolean(),
      haltReason: z.string().nullable(),
      messageToUser: z.string().nullable(),
      /** True when it is on the list already. */
      followed: z.boolean(),
    }),
  ),
  /** `skip` of the next page; null at the end of the list. */
  next: z.int().nullable(),
  /** Entries of this page without a usable id. */
  skipped: z.int(),
})
export type ListedAgentJobs = z.infer<typeof ListedAgentJobs>

/** Values the list of jobs can be filtered by, to be suggested; at most 100 each, alphabetical. */
export const AgentJobFilters = z.object({ repositories: z.array(z.string()), models: z.array(z.string()) })
export type AgentJobFilters = z.infer<typeof AgentJobFilters>
