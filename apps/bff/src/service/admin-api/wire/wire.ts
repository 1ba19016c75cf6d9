import { z } from 'zod'
import type { AgentJobSnapshot, BundleGrant, StaticExportSnapshot } from '#service/admin-api/admin-api.ts'
import { agentJobStory, toStory } from './agent-job-story.ts'
import { address, count, instant, linkExpiryMs, toProgress, words } from './wire-values.ts'
import { findProse } from './sentence.ts'
import { isUpstreamId } from '#service/admin-api/transport/upstream-path.ts'

const noSource = { repository: null, ref: null }

const AgentJobStoryWire = z.object(agentJobStory)

/** A job of which nothing is known. */
export const nothingKnown: AgentJobSnapshot = {
  status: null,
  ...noSource,
  model: null,
  prLink: null,
  createdAt: null,
  archivedAt: null,
  ...toStory({}, null, AgentJobStoryWire.parse({})),
}

const agentStatuses = new Set(['active', 'completed', 'archived', 'failed'])

/** Writes a status of the contract (Admin API §2.1) as it does. Leaves every other one as the service said it. */
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
  error: z.unknown().optional(),
  exporter: words(100),
  createdAt: instant,
  updatedAt: instant,
})

const isObject = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body)

/** Parses an AgentJob (Admin API §2.1). Null when no field is usable, so that rubbish never replaces good data. */
export const parseAgentJob = (body: unknown): AgentJobSnapshot | null => {
  const parsed = AgentJobWire.safeParse(isObject(body) ? body : null)
  const story = AgentJobStoryWire.safeParse(body)
  if (!isObject(body) || !parsed.success || !story.success) return null
  const { source, ...rest } = parsed.data
  const job = { ...rest, ...source }
  if (Object.values(job).every((value) => value === null)) return null
  return { ...job, ...toStory(body, job.status, story.data) }
}

/** Parses the job in the response to a prompt. Every unknown field is null. */
export const parseCreatedJob = (body: unknown): AgentJobSnapshot => parseAgentJob(body) ?? nothingKnown

/** Parses a static export job (Admin API §2.3). Null when no field of the contract is usable. */
export const parseStaticExport = (body: unknown): StaticExportSnapshot | null => {
  const parsed = StaticExportWire.safeParse(isObject(body) ? body : null)
  if (!parsed.success) return null
  const { error, ...job } = parsed.data
  if (job.status === null && job.progress === null && job.pageCount === null) return null
  return { ...job, error: findProse(error) }
}

/** Parses the `jobId` of a start (Admin API §4.2) or the `id` of an agent job (§2.1). Null when unusable in a later call. */
export const parseJobId = (body: unknown, field: 'jobId' | 'id' = 'jobId'): string | null => {
  const jobId = isObject(body) && Object.hasOwn(body, field) ? body[field] : null
  // Beyond the safe integers, the parsed number is not the sent number.
  if (typeof jobId === 'number') return Number.isSafeInteger(jobId) ? String(jobId) : null
  return typeof jobId === 'string' && isUpstreamId(jobId) && jobId.trim() !== '' ? jobId : null
}

/** True when a response carries the id of another job than the `asked` one. Ignores case, and responses without a usable id. */
export const isAboutAnother = (body: unknown, field: 'jobId' | 'id', asked: string): boolean => {
  const id = parseJobId(body, field)
  return id !== null && id.trim().toLowerCase() !== asked.trim().toLowerCase()
}

/** Parses the job in the response to a start. Every field is null when the service sends `jobId` only. */
export const parseStartedExport = (body: unknown): StaticExportSnapshot =>
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
  bundleUrl: z
    .string()
    .max(8192)
    .regex(/^https?:\/\/[\x21-\x7e]+$/i),
  sizeBytes: count(Number.MAX_SAFE_INTEGER),
  expiresAt: instant,
})

/** Parses a bundle grant (Admin API §4.4). The earlier of two expiries counts. Null without a usable link. */
export const parseBundleGrant = (body: unknown): BundleGrant | null => {
  const parsed = GrantWire.safeParse(isObject(body) ? body : null)
  const link = parsed.success ? URL.parse(parsed.data.bundleUrl) : null
  if (!parsed.success || link === null) return null
  const { bundleUrl, sizeBytes, expiresAt } = parsed.data
  const expiries = [expiresAt === null ? null : Date.parse(expiresAt), linkExpiryMs(link)].filter((ms) => ms !== null)
  return { bundleUrl, sizeBytes, expiresAtMs: expiries.length === 0 ? null : Math.min(...expiries) }
}
