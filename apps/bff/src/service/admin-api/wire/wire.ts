import { z } from 'zod'
import {
  address,
  count,
  instant,
  parseLinkExpiryMs,
  toProgress,
  words,
  knownWord,
  prose,
  cleanProse,
} from './wire-values.ts'
import { findProse, cleanSentence, readOwnProperty } from './sentence.ts'
import { readLink } from './link.ts'
import { isUpstreamId } from '#service/admin-api/transport/upstream-path.ts'
import { replaceSecrets } from '#ground/log/redact.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `keys` may be nowhere. The other ones, such as a header with the name of a tenant, may be in IDs and links but not in prose. */
export type Secrets = { keys: Iterable<string>; all: Iterable<string> }

/** All texts are untrusted plain text; missing and mistyped ones are null. */
const parseEntry = (entry: unknown, { keys, all }: Secrets) => {
  const id = parseJobId(entry, 'id')
  if (id === null || replaceSecrets(id, keys) !== id) return null
  const text = (...names: string[]) => cleanSentence(readOwnProperty(entry, ...names), all)
  // The public service uses the spelling with a u.
  const halted = readOwnProperty(entry, 'haulted', 'halted')
  return {
    id,
    title: text('title'),
    halted: halted === true || halted === 'true',
    haltReason: text('haultReason', 'haltReason'),
    messageToUser: text('messageToUser'),
  }
}

/** At most `take` jobs, each id once; null without a list of jobs. `entries` counts all entries, `skipped` those without a usable id. */
export const parseAgentJobList = (body: unknown, take: number, secrets: Secrets) => {
  const list = isObject(body) ? readOwnProperty(body, 'jobs') : body
  if (!Array.isArray(list)) return null
  const entries = list.slice(0, take).map((entry: unknown) => parseEntry(entry, secrets))
  if (list === body && entries.length > 0 && entries.every((job) => job === null)) return null
  const jobs = new Map(entries.flatMap((job) => (job === null ? [] : [[job.id, job] as const])))
  return { jobs: [...jobs.values()], entries: entries.length, skipped: entries.filter((job) => job === null).length }
}

const LogWire = z.object({
  text: z.string(),
  nextOffset: z.int().nonnegative(),
  isCut: z.boolean().catch(false),
  ended: z.boolean().catch(false),
})

/** Parses a part of a log from `offset` (UTF-8 bytes) on. Null when unusable: a decreasing offset would make reading endless. */
export const parseAgentJobLog = (body: unknown, offset: number) => {
  const { data: part } = LogWire.safeParse(body)
  return part === undefined || part.nextOffset < offset ? null : { ...part, text: cleanProse(part.text) }
}

const maxCount = 2_147_483_647
const maxProse = 20_000

const noPullRequest = { number: null, title: null, state: null, checks: null, mergeable: null }

const DiffStatWire = z.object({ files: count(maxCount), added: count(maxCount), removed: count(maxCount) })

const UsageWire = z.object({
  inputTokens: count(Number.MAX_SAFE_INTEGER),
  outputTokens: count(Number.MAX_SAFE_INTEGER),
  costUsd: z.number().min(0).max(1_000_000).nullable().catch(null),
})

const PullRequestWire = z.object({
  number: count(maxCount),
  title: words(300),
  state: knownWord('draft', 'open', 'merged', 'closed'),
  /** Combines the results of all checks of the head commit. */
  checks: knownWord('passing', 'failing', 'pending'),
  mergeable: z.boolean().nullable().catch(null),
})

/** The fields beyond Admin API §2.1, each null when missing or mistyped. All texts are untrusted plain text. */
const agentJobStory = {
  title: words(300),
  /** Several lines. */
  report: prose(maxProse),
  /** Several lines. `cancelled`: a person cancelled the job. */
  error: z.preprocess(findProse, prose(maxProse)),
  startedAt: instant,
  queuePosition: count(1_000_000),
  lastLine: prose(500),
  diffStat: DiffStatWire.nullable().catch(null),
  usage: UsageWire.nullable().catch(null),
  pullRequest: PullRequestWire.nullable().catch(null),
}

type Story = z.output<z.ZodObject<typeof agentJobStory>>

const parseStory = (body: Record<string, unknown>, status: string | null, story: Story) => {
  const { title, diffStat, usage, pullRequest, queuePosition, startedAt, ...texts } = story
  const { files = null, added = null, removed = null } = diffStat ?? {}
  const { number, state, checks, mergeable, title: pullRequestTitle } = pullRequest ?? noPullRequest
  const place = queuePosition === 0 ? null : queuePosition
  // Only null means that work has not begun; a missing field gives no information.
  const hasNotBegun = Object.hasOwn(body, 'startedAt') && body.startedAt === null
  return {
    ...texts,
    serviceTitle: title,
    startedAt,
    queuePosition: status === 'active' ? place : null,
    /** True when the answer has at least one of these fields. */
    isDetailed: Object.keys(agentJobStory).some((field) => Object.hasOwn(body, field)),
    /** True for an active job that is queued: it has a queue position, or the service reports that work has not begun. */
    isWaiting: status === 'active' && (place !== null || hasNotBegun),
    diffStat: files === null || added === null || removed === null ? null : { files, added, removed },
    usage: usage === null || Object.values(usage).every((value) => value === null) ? null : usage,
    pullRequestNumber: number,
    pullRequestTitle,
    pullRequestState: state,
    pullRequestChecks: checks,
    pullRequestMergeable: mergeable,
  }
}

const noSource = { repository: null, ref: null }

const AgentJobStoryWire = z.object(agentJobStory)

export const nothingKnown: NonNullable<ReturnType<typeof parseAgentJob>> = {
  status: null,
  ...noSource,
  model: null,
  prLink: null,
  createdAt: null,
  archivedAt: null,
  ...parseStory({}, null, AgentJobStoryWire.parse({})),
}

const agentStatuses = new Set(['active', 'completed', 'archived', 'failed'])

/** Normalises a status of the contract (Admin API §2.1) to its spelling. Leaves every other status as the service sent it. */
const toAgentStatus = (status: string | null): string | null => {
  const word = status?.toLowerCase() ?? ''
  return agentStatuses.has(word) ? word : status
}

const AgentJobWire = z.object({
  status: words(100).transform(toAgentStatus),
  source: z.object({ repository: address(2048), ref: words(500) }).catch(noSource),
  model: words(200),
  prLink: address(2048),
  createdAt: instant,
  archivedAt: instant,
})

// `optional`, because zod refuses a missing key even where any value is valid.
const StaticExportWire = z.object({
  status: words(100),
  progress: z.unknown().optional().transform(toProgress),
  // The column is a 32-bit integer.
  pageCount: count(2_147_483_647),
  /** Only the embedded service sends the digest of the exporter that does the work. */
  exporter: words(100),
  createdAt: instant,
  updatedAt: instant,
})

/** Parses an AgentJob (Admin API §2.1). Null when no field is usable, so that an unusable answer never replaces good data. */
export const parseAgentJob = (body: unknown) => {
  const parsed = AgentJobWire.safeParse(isObject(body) ? body : null)
  const story = AgentJobStoryWire.safeParse(body)
  if (!isObject(body) || !parsed.success || !story.success) return null
  const { source, ...rest } = parsed.data
  const job = { ...rest, ...source }
  if (Object.values(job).every((value) => value === null)) return null
  return { ...job, ...parseStory(body, job.status, story.data) }
}

/** Every unknown field is null. */
export const parseCreatedJob = (body: unknown) => parseAgentJob(body) ?? nothingKnown

/** Parses a static export job (Admin API §2.3). Null when no field of the contract is usable. */
export const parseStaticExport = (body: unknown) => {
  const parsed = StaticExportWire.safeParse(isObject(body) ? body : null)
  if (!parsed.success) return null
  const job = parsed.data
  if (job.status === null && job.progress === null && job.pageCount === null) return null
  return {
    ...job,
    /** Null unless the export failed. Untrusted plain text. */
    error: findProse({ ...(body as object), title: null }),
  }
}

/** Parses the `jobId` of a start (Admin API §4.2) or the `id` of an agent job (§2.1). Null when unusable in a later call. */
export const parseJobId = (body: unknown, field = 'jobId'): string | null => {
  const jobId = readOwnProperty(body, field)
  return typeof jobId === 'string' && isUpstreamId(jobId) && jobId.trim() !== '' ? jobId : null
}

const isSameId = (one: string, other: string) => one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`)

/** True when a response has the id of another job than `asked`. Ignores case, a path before the id, and responses without a usable id. */
export const isAboutAnotherJob = (body: unknown, field: 'jobId' | 'id', asked: string): boolean => {
  const id = parseJobId(body, field)
  return id !== null && !isSameId(id.trim().toLowerCase(), asked.trim().toLowerCase())
}

const readLocatedId = (location: string | undefined): string | null => {
  const [, id] = /\/jobs\/([^/?#]+)\/?(?:[?#]|$)/.exec(location ?? '') ?? []
  try {
    return id === undefined ? null : parseJobId({ jobId: decodeURIComponent(id) })
  } catch {
    return null
  }
}

/** The id of a job that an answer other than a started job names, in its body or its `Location`. */
export const findNamedJob = (body: unknown, location: string | undefined): string | null => {
  const error = readOwnProperty(body, 'error')
  const job = readOwnProperty(body, 'job', 'existingJob')
  const named = [body, error, job].flatMap((place) =>
    ['jobId', 'job_id', 'existingJobId'].map((field) => parseJobId(place, field)),
  )
  return [...named, parseJobId(job, 'id'), readLocatedId(location)].find((id) => id !== null) ?? null
}

/** Every field is null when the service sends `jobId` only. */
export const parseStartedExport = (body: unknown): NonNullable<ReturnType<typeof parseStaticExport>> =>
  parseStaticExport(body) ?? {
    status: null,
    progress: null,
    pageCount: null,
    error: null,
    exporter: null,
    createdAt: null,
    updatedAt: null,
  }

const GrantWire = z.object({
  // A relative link has a slash, so a word such as `pending` is none.
  bundleUrl: z.string().max(8192).includes('/'),
  sizeBytes: count(Number.MAX_SAFE_INTEGER),
  expiresAt: instant,
})

/** Parses a bundle grant (§4.4) from `address`. Null without a usable link. `expiresAtMs`: the earlier expiry of response and link. */
export const parseBundleGrant = (body: unknown, address: string) => {
  const parsed = GrantWire.safeParse(isObject(body) ? body : null)
  const bundleUrl = parsed.success ? readLink(parsed.data.bundleUrl, address) : null
  const link = bundleUrl === null ? null : URL.parse(bundleUrl)
  if (!parsed.success || bundleUrl === null || link === null) return null
  const { sizeBytes, expiresAt } = parsed.data
  const expiries = [expiresAt === null ? null : Date.parse(expiresAt), parseLinkExpiryMs(link)].filter(
    (ms) => ms !== null,
  )
  return { bundleUrl, sizeBytes, expiresAtMs: expiries.length === 0 ? null : Math.min(...expiries) }
}
