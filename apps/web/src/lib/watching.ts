/** State of polling and service that applies to every record. */
export type Watching = {
  /** False when only clicks make calls. */
  polls: boolean
  /** Reason why reads are paused, as a sentence for the page; null when they are not. */
  heldBack: string | null
  /** End of that pause. ISO 8601, UTC. */
  until: string | null
  /** Reason why the service is unavailable, as a sentence; null while it answers. */
  down: string | null
}

let watching: Watching = { polls: true, heldBack: null, until: null, down: null }
const listeners = new Set<() => void>()

/** Latest snapshot. Keeps its identity until something changes, as `useSyncExternalStore` requires. */
export const currentWatching = {
  get: (): Watching => watching,
  set: (next: Watching): void => {
    const { polls, heldBack, until, down } = watching
    if (next.polls === polls && next.heldBack === heldBack && next.until === until && next.down === down) return
    watching = next
    for (const listener of listeners) listener()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
