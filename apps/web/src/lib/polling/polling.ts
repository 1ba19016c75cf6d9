import { createStore } from '#lib/state/store.ts'

/** Input for the next poll. Times in milliseconds. */
export type PollInput = {
  live: boolean
  settled: boolean
  paused: boolean
  /** Interval while live; shorter for the embedded service. */
  liveMs: number
  /** Time since the last success; 0 after a success. */
  failingForMs: number
  /** Wait from `Retry-After`, or 0. Milliseconds. */
  retryAfterMs: number
}

const slowMs = 20_000
const maxRetryMs = 30_000

/** Milliseconds until the next read, or false for none. Backs off while reads fail. */
export const computePollMs = (input: PollInput): number | false => {
  const { live, settled, paused, liveMs, failingForMs, retryAfterMs } = input
  if (paused) return false
  if (failingForMs > 0) return Math.max(retryAfterMs, Math.min(maxRetryMs, Math.max(2000, failingForMs / 2)))
  if (settled) return false
  return live ? liveMs : slowMs
}

type Settings = {
  paused: boolean
  /** True while no user is signed in. */
  stopped: boolean
  liveMs: number
}

const settings = createStore<Settings>({ paused: false, stopped: false, liveMs: 2500 })

export const polling = {
  ...settings,
  set: (change: Partial<Settings>): void => settings.set({ ...settings.get(), ...change }),
}

export type QueryHealth = { status: string; dataUpdatedAt: number; errorUpdatedAt: number; error: Error | null }

/** Failure time and `Retry-After` of a query. Milliseconds. */
export const measureFailure = (state: QueryHealth): Pick<PollInput, 'failingForMs' | 'retryAfterMs'> => {
  if (state.error === null || state.errorUpdatedAt <= state.dataUpdatedAt) return { failingForMs: 0, retryAfterMs: 0 }
  const since = state.dataUpdatedAt === 0 ? state.errorUpdatedAt - 4000 : state.dataUpdatedAt
  const error = state.error as { retryAfterMs?: number | null }
  return { failingForMs: Math.max(1, state.errorUpdatedAt - since), retryAfterMs: error.retryAfterMs ?? 0 }
}

/** Whether a query's data changes by itself (`isLive`), or only by a click (`isSettled`). Without data it is neither. */
type PollRules<Data> = {
  paused: boolean
  isLive: (data: Data) => boolean
  isSettled?: (data: Data) => boolean
  /** Multiplies the interval while live. */
  slowdown?: number
}

export const refetchInterval =
  <Data>({ paused, isLive, isSettled, slowdown = 1 }: PollRules<Data>) =>
  ({ state }: { state: QueryHealth & { data?: Data | undefined } }): number | false => {
    const { data } = state
    const live = data !== undefined && isLive(data)
    const settled = data !== undefined && !live && (isSettled?.(data) ?? false)
    return computePollMs({ live, settled, paused, liveMs: polling.get().liveMs * slowdown, ...measureFailure(state) })
  }
