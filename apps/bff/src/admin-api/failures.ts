import type { AdminApiOperation, UpstreamCode } from './admin-api.ts'
import type { Breakdown } from '#admin-api/transport/exchange.ts'

/** Error code of a failure, and its message for the reader: cause and remedy. `gone`: the record is gone for good. */
export type Failure = { code: UpstreamCode; message: string; gone?: boolean }

const notFound: Record<AdminApiOperation, Failure> = {
  getAgentJob: {
    code: 'upstream_not_found',
    message: 'The service knows no agent job with this id in this project. Check the project id and the job id.',
  },
  // A service without this operation looks like one that does not know the project.
  createAgentJob: {
    code: 'upstream_refused',
    message: 'This service does not offer to create agent jobs, or knows no project with this id. Nothing was created.',
  },
  sendAgentMessage: {
    code: 'upstream_not_found',
    message: 'This service does not offer follow-up messages, or no longer knows this job. Nothing was sent to it.',
  },
  // A start names no record that could be missing, so the operation itself is.
  startStaticExport: {
    code: 'upstream_refused',
    message:
      'The service does not offer static exports at this address, or not for this domain. Check the domain and ADMIN_API_URL.',
  },
  getStaticExport: { code: 'upstream_not_found', message: 'The service knows no static export job with this id.' },
  generateBundle: { code: 'upstream_not_found', message: 'The service knows no static export job with this id.' },
}

const forbidden: Record<AdminApiOperation, string> = {
  getAgentJob:
    'The service does not let this admin key read this job. The key may belong to another organization, lack the read scope, or not be allowed from this address.',
  createAgentJob:
    'The service does not let this admin key create a job in this project. The key may belong to another organization, be read-only, or not be allowed from this address.',
  sendAgentMessage:
    'The service does not let this admin key send a message to this job. The key may belong to another organization, be read-only, or not be allowed from this address.',
  getStaticExport:
    'The service does not let this admin key read this export. Static export needs an Enterprise plan; or the key lacks the read scope, or is not allowed from this address.',
  startStaticExport:
    'The service does not let this admin key start an export. Static export needs an Enterprise plan; or the key is read-only, or is not allowed from this address.',
  generateBundle:
    'The service does not let this admin key make a bundle. Static export needs an Enterprise plan; or the key is read-only, or is not allowed from this address.',
}

const exportPlan =
  'The plan of your organization does not include this, or is not paid (402). Static export needs an Enterprise plan; ask whoever manages the plan.'
const agentPlan =
  'The plan of your organization does not include agent jobs, or is used up or not paid (402). Ask whoever manages the plan.'
const plan: Partial<Record<AdminApiOperation, string>> = {
  startStaticExport: exportPlan,
  getStaticExport: exportPlan,
  generateBundle: exportPlan,
}

const conflict: Record<AdminApiOperation, string> = {
  getAgentJob: 'The service reports a conflict on this job. Try again later.',
  createAgentJob: 'The service reports a conflict with something that exists already, so nothing was created.',
  sendAgentMessage: 'The service takes no message for this job now. It may be archived.',
  getStaticExport: 'The service reports a conflict on this export. Try again later.',
  startStaticExport: 'The service reports a conflict with something that exists already, so nothing was started.',
  generateBundle:
    'The service says that this export is not finished, so there is no bundle yet. Wait until it is completed.',
}

const notOffered: Partial<Record<AdminApiOperation, string>> = {
  createAgentJob: 'This service does not offer to create agent jobs (405). Nothing was created.',
  sendAgentMessage: 'This service does not offer follow-up messages (405). Nothing was sent to the job.',
}

const doubts: Partial<Record<AdminApiOperation, string>> = {
  startStaticExport: ' The export may have started all the same.',
  createAgentJob: ' The job may have been created all the same.',
  sendAgentMessage: ' The message may have arrived all the same.',
}

/** Warning about an operation with an unknown effect; empty where repeating it is harmless. */
export const doubtAbout = (operation: AdminApiOperation): string => doubts[operation] ?? ''

/** True for operations that a service may lack. Their 404 does not prove a wrong address. */
export const mayBeMissing = (operation: AdminApiOperation): boolean => operation in notOffered

const formatWait = (ms: number) => {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return `${Math.ceil(seconds / 60)} minutes`
}

/** Maps a status other than 2xx to a failure. `keyName` is the setting of the used key. */
export const failureOfStatus = (
  status: number,
  context: { operation: AdminApiOperation; keyName: string; retryAfterMs: number | null },
): Failure => {
  const { operation, keyName, retryAfterMs } = context
  switch (status) {
    case 401:
      return {
        code: 'upstream_key_rejected',
        message: `The service rejected the admin key: it may be expired, revoked or mistyped. Put a valid key into ${keyName} or ${keyName}_FILE.`,
      }
    case 402:
      return { code: 'upstream_refused', message: plan[operation] ?? agentPlan }
    case 403:
      return { code: 'upstream_forbidden', message: forbidden[operation] }
    case 404:
      return notFound[operation]
    // RFC 9110 §15.5.11.
    case 410:
      return { ...notFound[operation], gone: true }
    case 408:
    case 504:
      return {
        code: 'upstream_timeout',
        message: `The service gave up waiting for its own answer (${status}). Try again later.`,
      }
    case 409:
      return { code: 'upstream_conflict', message: conflict[operation] }
    case 429: {
      const wait = retryAfterMs === null ? 'Try again later.' : `It asked to wait ${formatWait(retryAfterMs)}.`
      return { code: 'upstream_rate_limited', message: `The service asks for fewer calls. ${wait}` }
    }
  }
  if (status >= 500) {
    return { code: 'upstream_unavailable', message: `The service has a fault of its own (${status}). Try again later.` }
  }
  const missing = status === 405 ? notOffered[operation] : undefined
  if (missing !== undefined) return { code: 'upstream_refused', message: missing }
  if (status >= 400) return { code: 'upstream_refused', message: `The service refused the request (${status}).` }
  return {
    code: 'upstream_unexpected',
    message: `The service answered with a redirect (${status}), which is not followed because the admin key would go along. Set ADMIN_API_URL to the final address.`,
  }
}

const noConnection: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
}

const handshakeProblem = (code: string): string | null => {
  if (/CERT|VERIFY/.test(code)) return 'its certificate is not accepted'
  return /SSL|TLS|EPROTO/.test(code) ? 'it does not speak https' : null
}

/** Maps a call without a complete response to a failure. `hasLeft` is false when the request never left. */
export const failureOfBreakdown = (breakdown: Breakdown, context: { origin: string; hasLeft: boolean }): Failure => {
  const { origin, hasLeft } = context
  if (breakdown.kind === 'too_large') return unexpected(origin, 'it is too large')
  if (breakdown.kind === 'malformed') return unexpected(origin, 'it is not proper HTTP')
  if (breakdown.kind === 'timeout') {
    const what = hasLeft ? 'did not answer in time' : 'could not be reached in time'
    return {
      code: 'upstream_timeout',
      message: `The service at ${origin} ${what}. Check the network, or try again later.`,
    }
  }
  if (hasLeft) {
    return {
      code: 'upstream_unavailable',
      message: `The connection to the service at ${origin} broke before its answer was complete. Try again later.`,
    }
  }
  const why = noConnection[breakdown.code] ?? handshakeProblem(breakdown.code) ?? 'the connection failed'
  return {
    code: 'upstream_unavailable',
    message: `No connection to the service at ${origin}: ${why} (${breakdown.code}). Check ADMIN_API_URL and the network.`,
  }
}

/** Failure of a response that does not fit the contract. */
export const unexpected = (origin: string, why: string): Failure => ({
  code: 'upstream_unexpected',
  message: `The answer from ${origin} does not fit the Admin API: ${why}. Check ADMIN_API_URL.`,
})

const bodyProblems = {
  encoding: 'its compression cannot be undone',
  too_large: 'it is too large',
  not_json: 'it is not JSON',
  empty: 'it is empty',
  html: 'it is a web page',
}

/** Failure of a body that is not JSON. */
export const failureOfBody = (origin: string, problem: keyof typeof bodyProblems): Failure =>
  unexpected(origin, bodyProblems[problem])
