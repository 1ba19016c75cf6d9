import type { ConnectionState } from '@docket/api-types/status'
import type { Log } from '#log/log.ts'
import type { AdminApiError, AdminApiOperation, UpstreamCode } from './admin-api.ts'

/** How one call ended. `error` is null after an answer that fitted the contract. */
export type Outcome = {
  operation: AdminApiOperation
  key: 'main' | 'read'
  error: AdminApiError | null
  /** From the call to the end of its answer. Milliseconds. */
  ms: number
}

/** How the Admin API last behaved, in the words of the status page. Times are ISO 8601, UTC. */
export type Connection = {
  state: ConnectionState
  /** What is wrong and what to do about it; null when nothing is. */
  message: string | null
  since: string | null
  lastOkAt: string | null
}

type Verdict = { state: ConnectionState; message: string | null }

/** What is kept of the outcomes so far. Milliseconds since the epoch; it is stored as JSON. */
export type ConnectionLog = {
  /** What is wrong with a key stays until that same key works again. */
  keyTroubles: { main?: Verdict; read?: Verdict }
  shown: Verdict
  sinceMs: number | null
  lastOkMs: number | null
}

/** Before the first call. */
export const noConnection: ConnectionLog = {
  keyTroubles: {},
  shown: { state: 'unknown', message: null },
  sinceMs: null,
  lastOkMs: null,
}

// A record that is missing, not ready or refused is a good answer about that record.
const stateOf: Record<UpstreamCode, Exclude<ConnectionState, 'unknown'>> = {
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

/** Whether a call ended well, as far as the connection goes. */
export const isGoodAnswer = (error: Pick<AdminApiError, 'code'> | null): boolean =>
  error === null || stateOf[error.code] === 'ok'

/** Whether a failure is about prompts alone: services may grant and limit them apart from everything else, by project. */
const isAboutPrompts = ({
  operation,
  error,
}: Pick<Outcome, 'operation'> & { error: Pick<AdminApiError, 'code'> | null }) =>
  (operation === 'createAgentJob' || operation === 'sendAgentMessage') &&
  (error?.code === 'upstream_forbidden' || error?.code === 'upstream_rate_limited')

/**
 * The state of the connection over all operations after one more call. Trouble with a key is shown until that same key works again, so
 * that reads with one key never hide that the other is rejected; every other trouble ends with the next good answer.
 */
export const afterOutcome = (
  log: ConnectionLog,
  outcome: Pick<Outcome, 'operation' | 'key'> & { error: Pick<AdminApiError, 'code' | 'message'> | null },
  atMs: number,
): ConnectionLog => {
  if (isAboutPrompts(outcome)) return log
  const { key, error } = outcome
  const state = error === null ? 'ok' : stateOf[error.code]
  const last: Verdict = { state, message: state === 'ok' ? null : (error?.message ?? null) }
  const { [key]: known, ...others } = log.keyTroubles
  const isKeyTrouble = state === 'key_rejected' || state === 'forbidden'
  const trouble = isKeyTrouble ? last : state === 'ok' ? undefined : known
  const keyTroubles = trouble === undefined ? others : { ...others, [key]: trouble }
  const troubles: Verdict[] = Object.values(keyTroubles)
  const shown = troubles.find((verdict) => verdict.state === 'key_rejected') ?? troubles[0] ?? last
  return {
    keyTroubles,
    shown,
    sinceMs: shown.state === log.shown.state ? log.sinceMs : atMs,
    lastOkMs: state === 'ok' ? atMs : log.lastOkMs,
  }
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

/** The state as readers see it. */
export const connectionOf = ({ shown, sinceMs, lastOkMs }: ConnectionLog): Connection => ({
  ...shown,
  since: iso(sinceMs),
  lastOkAt: iso(lastOkMs),
})

/** `ok`, or the code of the failure: the closed words for how a call ended. */
export const outcomeOf = ({ error }: Pick<Outcome, 'error'>): string => error?.code ?? 'ok'

/** Writes one line for every finished call, at `debug`: what was called, how it ended and how long it took, and nothing it said. */
export const outcomeLog =
  (log: Log) =>
  (outcome: Outcome): void => {
    const { operation, key, ms } = outcome
    log.debug({ operation, outcome: outcomeOf(outcome), key, ms: Math.round(ms) }, 'called the Admin API')
  }
