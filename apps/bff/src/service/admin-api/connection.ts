import type { ConnectionState } from '@docket/api-types/connections'
import type { Log } from '#ground/log/log.ts'
import type { AdminApiOperation } from './admin-api.ts'
import type { AdminApiError, UpstreamCode } from '#ground/errors/app-error.ts'

/** `error` is null after a valid answer. */
export type Outcome = {
  operation: AdminApiOperation
  key: 'main' | 'read'
  error: AdminApiError | null
  ms: number
}

/** Times are ISO 8601, UTC. */
export type Connection = {
  state: ConnectionState
  /** Includes how to fix the problem. Null without a problem. */
  message: string | null
  since: string | null
  lastOkAt: string | null
}

type Verdict = { state: ConnectionState; message: string | null }

/** Times are in milliseconds since the epoch. Stored as JSON. */
export type ConnectionLog = {
  /** A problem of a key lasts until that key works again. */
  keyTroubles: { main?: Verdict; read?: Verdict }
  shown: Verdict
  sinceMs: number | null
  lastOkMs: number | null
  /** First call without an answer since the last answer, while the connection doesn't show it. Missing in older logs. */
  lostMs?: number | null
  /** Domains, projects or jobs for which a write was forbidden since that write last worked. Missing in older logs. */
  forbidden?: Partial<Record<AdminApiOperation, readonly string[]>>
}

export const noConnection: ConnectionLog = {
  keyTroubles: {},
  shown: { state: 'unknown', message: null },
  sinceMs: null,
  lastOkMs: null,
}

// An answer that a record is missing, not ready or refused is a good answer about that record.
const stateByCode: Record<UpstreamCode, Exclude<ConnectionState, 'unknown'>> = {
  upstream_key_rejected: 'key_rejected',
  upstream_forbidden: 'forbidden',
  upstream_not_found: 'ok',
  upstream_conflict: 'ok',
  upstream_refused: 'ok',
  upstream_rate_limited: 'rate_limited',
  upstream_unavailable: 'unreachable',
  upstream_timeout: 'unreachable',
  upstream_unexpected: 'unexpected',
}

/** A 404 without the error message of an Admin API (§2.2). It may come from anything, so it proves no key. */
export const isBareMissing = (error: Pick<AdminApiError, 'code' | 'sentence'> | null): boolean =>
  error?.code === 'upstream_not_found' && error.sentence === null

export const isGoodAnswer = (error: Pick<AdminApiError, 'code'> | null): boolean =>
  error === null || stateByCode[error.code] === 'ok'

type CallOutcome = Pick<Outcome, 'operation' | 'key'> & {
  error: Pick<AdminApiError, 'code' | 'message' | 'about' | 'sentence'> | null
}

/** Services may limit prompts separately, by project. */
const isPromptLimit = ({ operation, error }: CallOutcome) =>
  (operation === 'createAgentJob' || operation === 'sendAgentMessage') && error?.code === 'upstream_rate_limited'

/** After the same write was forbidden for this many domains, projects or jobs, the key has a problem. */
const severalForbidden = 3

const isRead = (operation: AdminApiOperation) => /^(?:get|read)/.test(operation)

const collectForbidden = (
  log: ConnectionLog,
  { operation, error }: CallOutcome,
): NonNullable<ConnectionLog['forbidden']> => {
  const forbidden = log.forbidden ?? {}
  const { [operation]: known = [], ...others } = forbidden
  if (error === null) return others
  if (isRead(operation) || error.code !== 'upstream_forbidden') return forbidden
  return { ...others, [operation]: [...new Set([...known, error.about ?? ''])].slice(-severalForbidden) }
}

/** A service may lack the list of jobs, so its failures do not affect other operations. */
const isAboutList = ({ operation, error }: CallOutcome) =>
  operation === 'listAgentJobs' && error !== null && error.code !== 'upstream_key_rejected'

/**
 * Applies one more outcome. A problem of a key lasts until that key works again, so that reads with one key never hide that the other is
 * rejected. Any other problem ends with the next good response. A write that is forbidden for one domain, project or job is a problem of
 * that record alone, and so is one call without an answer after a good response, until a second one gets none either.
 */
export const applyOutcome = (log: ConnectionLog, outcome: CallOutcome, atMs: number): ConnectionLog => {
  if (isPromptLimit(outcome) || isAboutList(outcome)) return log
  const { operation, key, error } = outcome
  const forbidden = collectForbidden(log, outcome)
  const isOfRecord =
    isBareMissing(error) ||
    (error?.code === 'upstream_forbidden' &&
      !isRead(operation) &&
      (forbidden[operation]?.length ?? 0) < severalForbidden)
  const state = error === null || isOfRecord ? 'ok' : stateByCode[error.code]
  const lostMs = log.lostMs ?? null
  if (state === 'unreachable' && log.shown.state === 'ok' && lostMs === null) return { ...log, forbidden, lostMs: atMs }
  const last: Verdict = { state, message: state === 'ok' ? null : (error?.message ?? null) }
  const { [key]: known, ...others } = log.keyTroubles
  const isKeyTrouble = state === 'key_rejected' || state === 'forbidden'
  const trouble = isKeyTrouble ? last : state === 'ok' && !isOfRecord ? undefined : known
  const keyTroubles = trouble === undefined ? others : { ...others, [key]: trouble }
  const troubles: Verdict[] = Object.values(keyTroubles)
  const shown = troubles.find((verdict) => verdict.state === 'key_rejected') ?? troubles[0] ?? last
  return {
    keyTroubles,
    shown,
    sinceMs: shown.state === log.shown.state ? log.sinceMs : ((state === 'unreachable' ? lostMs : null) ?? atMs),
    lastOkMs: state === 'ok' && !isOfRecord ? atMs : log.lastOkMs,
    lostMs: null,
    forbidden,
  }
}

const toIso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

export const describeConnection = ({ shown, sinceMs, lastOkMs }: ConnectionLog): Connection => ({
  ...shown,
  since: toIso(sinceMs),
  lastOkAt: toIso(lastOkMs),
})

/** Returns `ok` or the error code. */
export const nameOutcome = ({ error }: Pick<Outcome, 'error'>): string => error?.code ?? 'ok'

/** Logs operation, outcome and duration at `debug`, but no content. */
export const logOutcomes =
  (log: Log) =>
  (outcome: Outcome): void => {
    const { operation, key, ms } = outcome
    log.debug({ operation, outcome: nameOutcome(outcome), key, ms: Math.round(ms) }, 'called the Admin API')
  }
