/** What holds for every record at once: whether Docket polls, what holds it back, and whether the service answers. */
export type Watching = {
  /** False when only clicks make calls. */
  polls: boolean
  /** What holds reads back right now, in a sentence; null when nothing does. */
  heldBack: string | null
  /** Until when they are held back. ISO 8601, UTC. */
  until: string | null
  /** Why the service is of no use right now, in a sentence; null while it answers. */
  down: string | null
}

let watching: Watching = { polls: true, heldBack: null, until: null, down: null }
const listeners = new Set<() => void>()

/** The latest of it, for every row and page. Shaped for `useSyncExternalStore`: the same object until something changes. */
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
