import type { ConnectionState } from '@docket/api-types/status'
import type { AdminApiError, AdminApiOperation, UpstreamCode } from './admin-api.ts'

/** How one call ended. `error` is null after an answer that fitted the contract. */
export type Outcome = { operation: AdminApiOperation; key: 'main' | 'read'; error: AdminApiError | null }

/** How the Admin API last behaved, in the words of the status page. Times are ISO 8601, UTC. */
export type Connection = {
  state: ConnectionState
  /** What is wrong and what to do about it; null when nothing is. */
  message: string | null
  since: string | null
  lastOkAt: string | null
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

type Verdict = { state: ConnectionState; message: string | null }

/**
 * Keeps the state of the connection over all operations. What is wrong with a key stays until that same key works again, so that reads
 * with one key never hide that the other is rejected; every other trouble ends with the next good answer.
 */
export const connectionLog = ({ now }: { now: () => number }) => {
  const keyTroubles = new Map<Outcome['key'], Verdict>()
  let last: Verdict = { state: 'unknown', message: null }
  let shown: Verdict = last
  let sinceMs: number | null = null
  let lastOkMs: number | null = null
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

  return {
    /** Takes the outcome of a call; fits `onOutcome` of the client. */
    record: ({ key, error }: Outcome): void => {
      const state = error === null ? 'ok' : stateOf[error.code]
      last = { state, message: state === 'ok' ? null : (error?.message ?? null) }
      if (state === 'ok') {
        lastOkMs = now()
        keyTroubles.delete(key)
      } else if (state === 'key_rejected' || state === 'forbidden') keyTroubles.set(key, last)
      const troubles = [...keyTroubles.values()]
      const next = troubles.find((trouble) => trouble.state === 'key_rejected') ?? troubles[0] ?? last
      if (next.state !== shown.state) sinceMs = now()
      shown = next
    },
    /** The state as it is now. */
    current: (): Connection => ({ ...shown, since: iso(sinceMs), lastOkAt: iso(lastOkMs) }),
  }
}
