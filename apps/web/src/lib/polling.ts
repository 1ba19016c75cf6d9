/** What decides how soon a page asks Docket again. Times in milliseconds. */
export type PollInput = {
  /** Something on screen moves by itself right now. */
  live: boolean
  /** Nothing can change any more without a click. */
  settled: boolean
  paused: boolean
  /** Interval while live; shorter on the machine that does the work itself. */
  liveMs: number
  /** How long reads have been failing without one success; 0 when the last one was good. */
  failingForMs: number
  /** What the server asked for with `Retry-After`; 0 when it asked for nothing. */
  retryAfterMs: number
}

const slowMs = 20_000
const maxRetryMs = 30_000

/** Milliseconds until the next read, or false for none: fast while live, slow otherwise, growing while it fails. */
export const pollMs = ({ live, settled, paused, liveMs, failingForMs, retryAfterMs }: PollInput): number | false => {
  if (paused) return false
  if (failingForMs > 0) return Math.max(retryAfterMs, Math.min(maxRetryMs, Math.max(2000, failingForMs / 2)))
  if (settled) return false
  return live ? liveMs : slowMs
}

type Settings = {
  paused: boolean
  /** Nobody is signed in, so every answer would be a refusal. */
  stopped: boolean
  liveMs: number
}

let settings: Settings = { paused: false, stopped: false, liveMs: 2500 }
const listeners = new Set<() => void>()

/** Settings that every poll on the page shares: the reader's *Pause*, whether anybody is signed in, and how fast "live" is. Shaped for `useSyncExternalStore`. */
export const polling = {
  get: (): Settings => settings,
  set: (change: Partial<Settings>): void => {
    const next = { ...settings, ...change }
    const { paused, stopped, liveMs } = settings
    if (next.paused === paused && next.stopped === stopped && next.liveMs === liveMs) return
    settings = next
    for (const listener of listeners) listener()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** The part of a query's state that tells how long it has been failing. */
export type QueryHealth = { status: string; dataUpdatedAt: number; errorUpdatedAt: number; error: Error | null }

/** How long reads have been failing, and what `Retry-After` asked for, from the state of a query. Milliseconds. */
export const measureFailure = (state: QueryHealth): Pick<PollInput, 'failingForMs' | 'retryAfterMs'> => {
  if (state.error === null || state.errorUpdatedAt <= state.dataUpdatedAt) return { failingForMs: 0, retryAfterMs: 0 }
  const since = state.dataUpdatedAt === 0 ? state.errorUpdatedAt - 4000 : state.dataUpdatedAt
  const error = state.error as { retryAfterMs?: number | null }
  return { failingForMs: Math.max(1, state.errorUpdatedAt - since), retryAfterMs: error.retryAfterMs ?? 0 }
}
