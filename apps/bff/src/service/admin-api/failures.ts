import { explainUntrusted } from '@docket/outbound/explain-connection'
import type { AdminApiOperation } from './admin-api.ts'
import { maxWaitMs, type UpstreamCode } from '#ground/errors/app-error.ts'
import type { Breakdown } from '#service/admin-api/transport/exchange.ts'

/** Where people change the address and the key of the call, as worded in a remedy. */
type Places = { address: string; key: string }

export type ConnectionPlaces = Places & { readKey: string }

export const environmentPlaces: ConnectionPlaces = {
  address: 'ADMIN_API_URL',
  key: 'ADMIN_API_KEY or ADMIN_API_KEY_FILE',
  readKey: 'ADMIN_API_READ_KEY or ADMIN_API_READ_KEY_FILE',
}

type Text = string | ((places: Places) => string)

export type Failure = {
  code: UpstreamCode
  /** The cause. Also includes the remedy when both fit in one sentence. */
  message: Text
  remedy?: Text
  address?: string
  /** The record is permanently gone. */
  gone?: boolean
  /** The service's own message is complete. */
  inOwnWords?: boolean
}

const tryLater = 'Try again later.'

const notFound: Record<AdminApiOperation, Failure> = {
  getAgentJob: {
    code: 'upstream_not_found',
    message: 'The service finds no agent job with this ID in this project. Check the project ID and the job ID.',
  },
  // A service without this operation gives the same answer as one that does not know the project.
  listAgentJobs: {
    code: 'upstream_refused',
    message: 'This service doesn’t list agent jobs, or has no project with this ID. Add jobs by their IDs instead.',
  },
  createAgentJob: {
    code: 'upstream_refused',
    message: 'This service doesn’t create agent jobs, or has no project with this ID. Nothing was created.',
  },
  sendAgentMessage: {
    code: 'upstream_not_found',
    message: 'This service doesn’t accept follow-ups, or no longer finds this job. Nothing was sent.',
  },
  cancelAgentJob: {
    code: 'upstream_not_found',
    message: 'This service has no way to cancel a job, or no longer finds this one.',
  },
  archiveAgentJob: {
    code: 'upstream_not_found',
    message: 'This service has no way to archive a job, or no longer finds this one.',
  },
  readAgentJobLog: { code: 'upstream_not_found', message: 'The service has no log of this job.' },
  // A start names no record that could be missing, so the operation itself is missing.
  startStaticExport: {
    code: 'upstream_refused',
    message: ({ address }) =>
      `The service doesn’t offer static exports at this address, or not for this domain. Check the domain and ${address}.`,
  },
  getStaticExport: { code: 'upstream_not_found', message: 'The service finds no export job with this ID.' },
  cancelStaticExport: {
    code: 'upstream_not_found',
    message: 'This service has no way to cancel an export, or no longer finds this one.',
  },
  generateBundle: { code: 'upstream_not_found', message: 'The service finds no export job with this ID.' },
}

const forbidden: Record<AdminApiOperation, string> = {
  getAgentJob:
    'This admin key can’t read this job. The key may belong to another organization, lack the read scope, or not be allowed from this address.',
  listAgentJobs:
    'This admin key can’t list the jobs of this project. The key may belong to another organization, lack the read scope, or not be allowed from this address.',
  createAgentJob:
    'This admin key can’t create a job in this project. The key may belong to another organization, be read-only, or not be allowed from this address.',
  sendAgentMessage:
    'This admin key can’t send a message to this job. The key may belong to another organization, be read-only, or not be allowed from this address.',
  cancelAgentJob:
    'This admin key can’t cancel this job. The key may be read-only, or not be allowed from this address.',
  archiveAgentJob:
    'This admin key can’t archive this job. The key may be read-only, or not be allowed from this address.',
  readAgentJobLog: 'This admin key can’t read the log of this job. The key may lack the read scope.',
  getStaticExport:
    'This admin key can’t read this export. Static export needs an Enterprise plan; or the key lacks the read scope, or is not allowed from this address.',
  startStaticExport:
    'This admin key can’t start an export. Static export needs an Enterprise plan; or the key is read-only, or is not allowed from this address.',
  cancelStaticExport:
    'This admin key can’t cancel this export. The key may be read-only, or not be allowed from this address.',
  generateBundle:
    'This admin key can’t create a bundle. Static export needs an Enterprise plan; or the key is read-only, or is not allowed from this address.',
}

const exportPlan =
  'Your organization’s plan doesn’t include this, or isn’t paid (402). Static export needs an Enterprise plan. Ask whoever manages the plan.'
const agentPlan =
  'Your organization’s plan doesn’t include agent jobs, is used up or isn’t paid (402). Ask whoever manages the plan.'
const plan: Partial<Record<AdminApiOperation, string>> = {
  startStaticExport: exportPlan,
  getStaticExport: exportPlan,
  generateBundle: exportPlan,
}

const conflict: Record<AdminApiOperation, string> = {
  getAgentJob: 'The service reports a conflict on this job. Try again later.',
  listAgentJobs: 'The service reports a conflict on this list. Try again later.',
  createAgentJob: 'The service reports a conflict with something that exists already, so nothing was created.',
  sendAgentMessage: 'The service accepts no message for this job now. It may be archived.',
  cancelAgentJob: 'The job is over, so there is nothing to cancel.',
  archiveAgentJob: 'The service doesn’t archive this job now.',
  readAgentJobLog: 'The service reports a conflict on this log. Try again later.',
  getStaticExport: 'The service reports a conflict on this export. Try again later.',
  startStaticExport: 'The service reports a conflict with something that exists already, so nothing was started.',
  cancelStaticExport: 'The export is over, so there is nothing to cancel.',
  generateBundle: 'The service has no bundle of this export yet.',
}

const notOffered: Partial<Record<AdminApiOperation, string>> = {
  listAgentJobs: 'This service doesn’t list agent jobs (405). Add jobs by their IDs instead.',
  createAgentJob: 'This service doesn’t create agent jobs (405). Nothing was created.',
  sendAgentMessage: 'This service doesn’t accept follow-ups (405). Nothing was sent.',
  cancelAgentJob: 'This service has no way to cancel a job (405).',
  archiveAgentJob: 'This service has no way to archive a job (405).',
  readAgentJobLog: 'This service doesn’t offer logs (405).',
  cancelStaticExport: 'This service has no way to cancel an export (405).',
}

const doubts: Partial<Record<AdminApiOperation, string>> = {
  startStaticExport: 'The export may have started anyway.',
  createAgentJob: 'The job may have been created anyway.',
  sendAgentMessage: 'The message may have arrived anyway.',
  cancelAgentJob: 'The job may have been cancelled anyway.',
  archiveAgentJob: 'The job may have been archived anyway.',
  cancelStaticExport: 'The export may have been cancelled anyway.',
}

/**
 * Composes the message of a failure: the cause first, then the service's own `sentence`, the remedy, and the address last, because rows cut
 * off the end. Warns about an unknown effect when repeating the operation is harmful.
 */
export const describeFailure = (
  { message, remedy, address, inOwnWords }: Failure,
  context: { operation: AdminApiOperation; places: Places; isUnknown: boolean; sentence: string | null },
): string => {
  const { operation, places, isUnknown, sentence } = context
  if (inOwnWords === true && sentence !== null) return sentence
  const write = (text: Text | undefined) => (typeof text === 'function' ? text(places) : text)
  const doubt = isUnknown ? doubts[operation] : undefined
  const parts = [
    write(message),
    sentence !== null && `The service says: “${sentence}”${/[.!?…]$/.test(sentence) ? '' : '.'}`,
    doubt,
    // Trying again could repeat the effect.
    doubt !== undefined && remedy === tryLater ? undefined : write(remedy),
    address !== undefined && `Address: ${address}.`,
  ]
  return parts.filter(Boolean).join(' ')
}

const isPrompt = (operation: AdminApiOperation) => operation === 'createAgentJob' || operation === 'sendAgentMessage'

/** True for operations that a service may lack. Their 404 does not prove a wrong address. */
export const mayBeMissing = (operation: AdminApiOperation): boolean => operation in notOffered

export const formatWait = (ms: number) => {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return seconds <= 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`
}

const describeWait = (ms: number) =>
  `It asked Docket to wait ${formatWait(ms)}${ms > maxWaitMs ? '; Docket tries again after an hour' : ''}.`

/** Docket asks only for bundles of completed exports, so these mean that the service is at work on it. */
const stillMaking = new Set([202, 409, 423, 425])

export const classifyStatus = (
  status: number,
  context: { operation: AdminApiOperation; retryAfterMs: number | null },
): Failure => {
  const { operation, retryAfterMs } = context
  if (operation === 'generateBundle' && stillMaking.has(status))
    return { code: 'upstream_conflict', message: conflict[operation], remedy: 'Try again in a moment.' }
  switch (status) {
    case 401:
      return {
        code: 'upstream_key_rejected',
        message: ({ key }) =>
          `The service rejected the admin key: it may be expired, revoked or mistyped. Put a valid key in ${key}.`,
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
        message: `The service timed out (${status}).`,
        remedy: tryLater,
      }
    case 409:
      return { code: 'upstream_conflict', message: conflict[operation] }
    case 429: {
      const wait = retryAfterMs === null ? tryLater : describeWait(retryAfterMs)
      return { code: 'upstream_rate_limited', message: `The service asks for fewer calls. ${wait}` }
    }
  }
  if (status >= 500) {
    return {
      code: 'upstream_unavailable',
      message: `The service reported an error (${status}).`,
      remedy: tryLater,
    }
  }
  const missing = status === 405 ? notOffered[operation] : undefined
  if (missing !== undefined) return { code: 'upstream_refused', message: missing }
  if (status >= 400) {
    // The service read the prompt, and reports why it cannot carry it out.
    const inOwnWords = status === 400 && isPrompt(operation)
    return { code: 'upstream_refused', message: `The service refused the request (${status}).`, inOwnWords }
  }
  return {
    code: 'upstream_unexpected',
    message: `The service returned a redirect (${status}). Docket doesn’t follow it, to protect the admin key.`,
    remedy: ({ address }) => `Set ${address} to the final address.`,
  }
}

const noConnection: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is unknown',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
}

const describeHandshakeProblem = (code: string): string | null => {
  if (/CERT|VERIFY/.test(code)) return 'its certificate is not accepted'
  if (code.includes('APPLICATION_PROTOCOL')) return 'it speaks HTTP/2 only, and Docket needs HTTP/1.1'
  return /SSL|TLS|EPROTO/.test(code) ? 'it doesn’t speak https' : null
}

/** Maps a call without a complete response to a failure. `hasLeft` is false when the request was never sent. */
export const classifyBreakdown = (breakdown: Breakdown, context: { origin: string; hasLeft: boolean }): Failure => {
  const { origin: address, hasLeft } = context
  if (breakdown.kind === 'too_large') return unexpectedResponseFailure(address, 'it is too large')
  if (breakdown.code === 'UND_ERR_HEADERS_OVERFLOW')
    return unexpectedResponseFailure(address, 'its headers are longer than 16 kB')
  if (breakdown.kind === 'malformed') return unexpectedResponseFailure(address, 'it isn’t valid HTTP', checkAddress)
  if (breakdown.kind === 'timeout') {
    return hasLeft
      ? { code: 'upstream_timeout', message: 'The service didn’t respond in time.', remedy: tryLater, address }
      : {
          code: 'upstream_timeout',
          message: 'Docket couldn’t reach the service in time.',
          remedy: 'Check the network, or try again later.',
          address,
        }
  }
  if (hasLeft) {
    const message = 'The connection broke before the response was complete.'
    return { code: 'upstream_unavailable', message, remedy: tryLater, address }
  }
  if (breakdown.why !== undefined) {
    const message = `No connection: ${breakdown.why}.`
    return { code: 'upstream_unavailable', message, remedy: 'Check HTTPS_PROXY and NO_PROXY.', address }
  }
  const untrusted = explainUntrusted(breakdown.code)
  if (untrusted !== null) return { code: 'upstream_unavailable', message: `No connection: ${untrusted}`, address }
  const why = noConnection[breakdown.code] ?? describeHandshakeProblem(breakdown.code) ?? 'the connection failed'
  return {
    code: 'upstream_unavailable',
    message: `No connection: ${why} (${breakdown.code}).`,
    remedy: (places) => `Check ${places.address} and the network.`,
    address,
  }
}

const checkAddress: Text = (places) => `Check ${places.address}.`
const notAdminApi: Text = (places) => `It isn’t from an Admin API. Check ${places.address}.`

/** Failure of a response that does not fit the contract. `why` completes “Unusable response: …”. */
export const unexpectedResponseFailure = (
  address: string,
  why: string,
  remedy: Text = 'Ask the operator of the service.',
): Failure => ({
  code: 'upstream_unexpected',
  message: `Unusable response: ${why}.`,
  remedy,
  address,
})

const bodyProblems = {
  encoding: 'Docket can’t decompress its content encoding',
  too_large: 'it is too large',
  not_json: 'it isn’t JSON',
  empty: 'it is empty',
  html: 'it is a web page',
}

export const classifyBody = (address: string, problem: keyof typeof bodyProblems): Failure =>
  unexpectedResponseFailure(
    address,
    bodyProblems[problem],
    problem === 'html' || problem === 'not_json' ? notAdminApi : undefined,
  )
