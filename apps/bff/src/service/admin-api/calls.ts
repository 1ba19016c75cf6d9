import { upstreamPath } from '#service/admin-api/transport/upstream-path.ts'
import {
  parseAgentJobList,
  parseAgentJobLog,
  findNamedJob,
  isAboutAnotherJob,
  parseAgentJob,
  parseBundleGrant,
  parseCreatedJob,
  parseJobId,
  parseStartedExport,
  parseStaticExport,
  type Secrets,
} from '#service/admin-api/wire/wire.ts'
import { cleanSentence } from '#service/admin-api/wire/sentence.ts'
import { holdsSecret, redactProse, replaceSecrets } from '#ground/log/redact.ts'
import type { AdminApi, AdminApiOperation, AgentJobSnapshot, StaticExportSnapshot } from './admin-api.ts'

export type Call<T extends object> = {
  about: string
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: object
  /** Returns null for unusable JSON, or the text after “Unusable response: ”. Removes `secrets` from every text. `address` was called. */
  parse: (json: unknown, secrets: Secrets, address: string) => T | string | null
  /** Follows “Unusable response: ” when `parse` returns null. */
  missing: string
  /** Id of a job that another answer than a good one names. */
  findNamed?: (json: unknown, location: string | undefined, secrets: Secrets) => string | null
  /** Replaces the usual limit for decompressed bytes. */
  maxBytes?: number
}

type Answer<O extends AdminApiOperation> = Awaited<ReturnType<AdminApi[O]>>

const redactFields = <T extends object>(value: T, { keys }: Secrets): T =>
  Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      typeof field === 'string' ? replaceSecrets(field, keys) : field,
    ]),
  ) as T

const redactNullableProse = (text: string | null, { all }: Secrets) => text && redactProse(text, all)

/** The agent's output may contain anything that the agent saw. */
const redactJob = (job: AgentJobSnapshot, secrets: Secrets): AgentJobSnapshot => ({
  ...redactFields(job, secrets),
  serviceTitle: redactNullableProse(job.serviceTitle, secrets),
  lastLine: redactNullableProse(job.lastLine, secrets),
  error: redactNullableProse(job.error, secrets),
  report: redactNullableProse(job.report, secrets),
  pullRequestTitle: redactNullableProse(job.pullRequestTitle, secrets),
})

const anotherJob = 'it describes another job than the one asked for'

const readJob =
  (id: string): Call<Answer<'getAgentJob'>>['parse'] =>
  (json, secrets) => {
    if (isAboutAnotherJob(json, 'id', id)) return anotherJob
    const job = parseAgentJob(json)
    return job && redactJob(job, secrets)
  }

const withoutSecret = (id: string | null, { keys }: Secrets) =>
  id === null || replaceSecrets(id, keys) !== id ? null : id

const readJobId = (json: unknown, field: 'jobId' | 'id', secrets: Secrets): string | null =>
  withoutSecret(parseJobId(json, field), secrets)

/** 256 kB of output, of which JSON may escape each byte to six. */
const maxLogBytes = 1_900_000

const buildJobActionCall = (
  action: 'cancel' | 'archive',
  { projectId, id }: { projectId: string; id: string },
): Call<AgentJobSnapshot> => ({
  about: projectId,
  method: 'POST',
  path: upstreamPath.agentJobAction(projectId, id, action),
  body: {},
  parse: readJob(id),
  missing: 'it has no field of an agent job',
})

const buildExportCall = (method: 'GET' | 'DELETE', jobId: string): Call<StaticExportSnapshot> => ({
  about: jobId,
  method,
  path: upstreamPath.staticExport(jobId),
  parse: (json, secrets) => {
    if (isAboutAnotherJob(json, 'jobId', jobId)) return anotherJob
    const job = parseStaticExport(json)
    return job && { ...redactFields(job, secrets), error: cleanSentence(job.error, secrets.all) }
  },
  missing: 'it has no field of a static export job',
})

/** Every operation throws `invalid_request` for an id that does not fit into a path (Admin API §4). */
export const calls: { [O in AdminApiOperation]: (request: Parameters<AdminApi[O]>[0]) => Call<Answer<O>> } = {
  getAgentJob: ({ projectId, id }) => ({
    about: projectId,
    method: 'GET',
    path: upstreamPath.agentJob(projectId, id),
    parse: readJob(id),
    missing: 'it has no field of an agent job',
  }),
  listAgentJobs: ({ projectId, skip, take }) => ({
    method: 'GET',
    path: upstreamPath.agentJobList(projectId, { skip, take }),
    about: projectId,
    parse: (json, secrets) => parseAgentJobList(json, take, secrets),
    missing: 'it has no list of agent jobs',
  }),
  createAgentJob: ({ projectId, prompt, maintenance, requestedBy }) => ({
    about: projectId,
    method: 'POST',
    path: upstreamPath.agentJobs(projectId),
    body: { prompt, maintenance, requestedBy },
    parse: (json, secrets) => {
      const id = readJobId(json, 'id', secrets)
      return id === null ? null : { ...redactJob(parseCreatedJob(json), secrets), id }
    },
    missing: 'it has no usable id of an agent job',
  }),
  sendAgentMessage: ({ projectId, id, prompt, maintenance, requestedBy }) => ({
    about: projectId,
    method: 'POST',
    path: upstreamPath.agentMessages(projectId, id),
    body: { prompt, maintenance, requestedBy },
    parse: readJob(id),
    missing: 'it has no field of an agent job',
  }),
  cancelAgentJob: (key) => buildJobActionCall('cancel', key),
  archiveAgentJob: (key) => buildJobActionCall('archive', key),
  readAgentJobLog: ({ projectId, id, offset }) => ({
    about: projectId,
    method: 'GET',
    path: upstreamPath.agentJobLog(projectId, id, offset),
    parse: (json, secrets) => {
      const part = parseAgentJobLog(json, offset)
      return part && { ...part, text: redactProse(part.text, secrets.all) }
    },
    missing: 'it has no part of a log',
    maxBytes: maxLogBytes,
  }),
  startStaticExport: ({ domain, version, paths, priority }) => ({
    about: domain,
    method: 'POST',
    path: upstreamPath.staticExports(),
    body: { domain, version, paths, priority },
    parse: (json, secrets) => {
      const jobId = readJobId(json, 'jobId', secrets)
      if (jobId === null) return null
      const job = parseStartedExport(json)
      return { ...redactFields(job, secrets), error: cleanSentence(job.error, secrets.all), jobId }
    },
    missing: 'it has no usable jobId',
    findNamed: (json, location, secrets) => withoutSecret(findNamedJob(json, location), secrets),
  }),
  getStaticExport: (jobId) => buildExportCall('GET', jobId),
  cancelStaticExport: (jobId) => buildExportCall('DELETE', jobId),
  generateBundle: (jobId) => ({
    about: jobId,
    method: 'POST',
    path: upstreamPath.bundle(jobId),
    // A link without one of its parts does not work.
    parse: (json, secrets, address) => {
      if (isAboutAnotherJob(json, 'jobId', jobId)) return anotherJob
      const grant = parseBundleGrant(json, address)
      return grant !== null && holdsSecret(grant.bundleUrl, secrets.keys) ? 'its bundleUrl holds an admin key' : grant
    },
    missing: 'it has no usable bundleUrl',
  }),
}
