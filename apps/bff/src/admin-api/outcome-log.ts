import type { Log } from '#log/log.ts'
import type { Outcome } from '#admin-api/connection.ts'

/** `ok`, or the code of the failure: the closed words for how a call ended. */
export const outcomeOf = ({ error }: Pick<Outcome, 'error'>): string => error?.code ?? 'ok'

/** Writes one line for every finished call, at `debug`: what was called, how it ended and how long it took, and nothing it said. */
export const outcomeLog =
  (log: Log) =>
  (outcome: Outcome): void => {
    const { operation, key, ms } = outcome
    log.debug({ operation, outcome: outcomeOf(outcome), key, ms: Math.round(ms) }, 'called the Admin API')
  }
