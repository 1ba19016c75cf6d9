import { createStore } from '#lib/state/store.ts'

/** State of polling and service that applies to every record. */
export type Watching = {
  /** False when only clicks make calls. */
  polls: boolean
  /** Reason why reads are paused; null when they are not. */
  heldBack: string | null
  /** End of that pause. ISO 8601, UTC. */
  until: string | null
  /** Reason why the service is unavailable; null while it answers. */
  down: string | null
}

export const currentWatching = createStore<Watching>({ polls: true, heldBack: null, until: null, down: null })
