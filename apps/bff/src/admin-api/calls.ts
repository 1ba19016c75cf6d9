import type { AdminApi, AdminApiOperation } from './admin-api.ts'
import { holdsSecret, withoutSecrets } from '#log/redact.ts'
import { cleanSentence } from '#admin-api/wire/sentence.ts'
import { upstreamPath } from '#admin-api/transport/upstream-path.ts'
import {
  parseAgentJob,
  parseCreatedJob,
  parseBundleGrant,
  parseJobId,
  parseStartedExport,
  parseStaticExport,
} from '#admin-api/wire/wire.ts'

/** One operation, ready to be made: what is sent and how the answer is read. */
export type Call<T extends object> = {
  operation: AdminApiOperation
  method: 'GET' | 'POST'
  path: string
  body?: object
  /**
   * Null when the JSON has nothing usable, or text that completes "The answer does not fit: …". Removes the `secrets` from every text of
   * the answer.
   */
  parse: (json: unknown, secrets: Iterable<string>) => T | string | null
  /** Completes the sentence when `parse` gives null. */
  missing: string
}

type Answer<O extends AdminApiOperation> = Awaited<ReturnType<AdminApi[O]>>

const redacted = <T extends object>(value: T, secrets: Iterable<string>): T =>
  Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      typeof field === 'string' ? withoutSecrets(field, secrets) : field,
    ]),
  ) as T

/** The four operations of the Admin API (§4) and the two about prompts. They throw `AppError` `invalid_request` for an id that must not go into a path. */
export const calls = {
  getAgentJob: ({ projectId, id }: Parameters<AdminApi['getAgentJob']>[0]): Call<Answer<'getAgentJob'>> => ({
    operation: 'getAgentJob',
    method: 'GET',
    path: upstreamPath.agentJob(projectId, id),
    parse: (json, secrets) => {
      const job = parseAgentJob(json)
      return job && redacted(job, secrets)
    },
    missing: 'it has no field of an agent job',
  }),
  createAgentJob: ({
    projectId,
    prompt,
  }: Parameters<AdminApi['createAgentJob']>[0]): Call<Answer<'createAgentJob'>> => ({
    operation: 'createAgentJob',
    method: 'POST',
    path: upstreamPath.agentJobs(projectId),
    body: { prompt },
    parse: (json, secrets) => {
      const id = parseJobId(json, 'id')
      if (id === null || withoutSecrets(id, secrets) !== id) return null
      return { ...redacted(parseCreatedJob(json), secrets), id }
    },
    missing: 'it has no usable id of an agent job',
  }),
  sendAgentMessage: ({
    projectId,
    id,
    prompt,
  }: Parameters<AdminApi['sendAgentMessage']>[0]): Call<Answer<'sendAgentMessage'>> => ({
    operation: 'sendAgentMessage',
    method: 'POST',
    path: upstreamPath.agentMessages(projectId, id),
    body: { prompt },
    parse: (json, secrets) => {
      const job = parseAgentJob(json)
      return job && redacted(job, secrets)
    },
    missing: 'it has no field of an agent job',
  }),
  startStaticExport: ({
    domain,
    version,
    paths,
  }: Parameters<AdminApi['startStaticExport']>[0]): Call<Answer<'startStaticExport'>> => ({
    operation: 'startStaticExport',
    method: 'POST',
    path: upstreamPath.staticExports(),
    body: { domain, version, paths },
    parse: (json, secrets) => {
      const jobId = parseJobId(json)
      if (jobId === null || withoutSecrets(jobId, secrets) !== jobId) return null
      const job = parseStartedExport(json)
      return { ...redacted(job, secrets), error: cleanSentence(job.error, secrets), jobId }
    },
    missing: 'it has no usable jobId',
  }),
  getStaticExport: (jobId: string): Call<Answer<'getStaticExport'>> => ({
    operation: 'getStaticExport',
    method: 'GET',
    path: upstreamPath.staticExport(jobId),
    parse: (json, secrets) => {
      const job = parseStaticExport(json)
      return job && { ...redacted(job, secrets), error: cleanSentence(job.error, secrets) }
    },
    missing: 'it has no field of a static export job',
  }),
  generateBundle: (jobId: string): Call<Answer<'generateBundle'>> => ({
    operation: 'generateBundle',
    method: 'POST',
    path: upstreamPath.bundle(jobId),
    // A link with something taken out leads nowhere.
    parse: (json, secrets) => {
      const grant = parseBundleGrant(json)
      return grant !== null && holdsSecret(grant.bundleUrl, secrets) ? 'its bundleUrl holds an admin key' : grant
    },
    missing: 'it has no usable bundleUrl',
  }),
}
