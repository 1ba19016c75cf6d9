import type { Log } from '#ground/log/log.ts'
import { pickJitteredPause, realTimer, type Timer } from '#ground/clock.ts'

/** Every function may reject while the database is unavailable. */
export type WatchedRecords<Row> = {
  /** See `claimDueRecords`. */
  claim: (limit: number) => Promise<Row[]>
  /** Does not reject for a failure of the service. */
  check: (row: Row) => Promise<void>
  /** Null when there are no records to read. */
  nextDueAt: () => Promise<Date | null>
}

/** Maximum sleep, because another process may make a record due without waking this one. */
const maxSleepMs = 15_000
/** Pause after a pass that claimed nothing although a record is due: another process has leased it, or calls are paused. */
const idlePassMs = 250

/** Checks due records, at most `concurrency` at once. Sleeps until the next is due, with growing pauses while the database is away. */
export const createWatchLoop = <Row>(
  options: WatchedRecords<Row> & {
    name: string
    /** Milliseconds since the epoch. */
    now: () => number
    log: Log
    concurrency?: number
    timer?: Timer
  },
) => {
  const { name, claim, check, nextDueAt, now, log, concurrency = 8, timer = realTimer } = options
  const inFlight = new Set<Promise<void>>()
  let state: 'stopped' | 'running' | 'stopping' = 'stopped'
  let finished: Promise<void> | undefined
  let woken = false
  let endSleep: (() => void) | undefined
  let failures = 0

  const wake = () => {
    woken = true
    endSleep?.()
  }

  const sleep = async (ms: number) => {
    if (!woken && state === 'running') {
      await new Promise<void>((resolve) => {
        const cancel = timer(resolve, ms)
        endSleep = () => {
          cancel()
          resolve()
        }
      })
      endSleep = undefined
    }
    woken = false
  }

  const launch = (row: Row) => {
    const running = check(row)
      .catch((error: unknown) => {
        // The record is checked again when its lease expires, not in a tight loop.
        log.error({ err: error, watcher: name }, 'a check could not be finished')
      })
      .finally(() => {
        inFlight.delete(running)
        wake()
      })
    inFlight.add(running)
  }

  /** Returns the length of the sleep after the pass in milliseconds. */
  const pass = async (): Promise<number> => {
    const free = concurrency - inFlight.size
    if (free <= 0) return maxSleepMs
    const rows = await claim(free)
    for (const row of rows) launch(row)
    if (rows.length > 0) return 0
    const due = await nextDueAt()
    if (due === null) return maxSleepMs
    const waitMs = due.getTime() - now()
    // A longer pause would read records late, and less so the more often somebody wakes the loop.
    return waitMs > 0 ? Math.min(maxSleepMs, waitMs) : idlePassMs
  }

  const run = async () => {
    while (state === 'running') {
      let pauseMs: number
      try {
        pauseMs = await pass()
        if (failures > 0) log.info({ watcher: name, failures }, 'watching again')
        failures = 0
      } catch (error) {
        failures += 1
        if (failures === 1) log.warn({ err: error, watcher: name }, 'watching is interrupted')
        pauseMs = 250 + pickJitteredPause(failures, { baseMs: 500, capMs: maxSleepMs })
        // A finished check must not cut the pause short.
        woken = false
      }
      if (pauseMs > 0) await sleep(pauseMs)
    }
  }

  return {
    start: () => {
      if (state !== 'stopped') return
      state = 'running'
      finished = run()
    },
    wake,
    /** Ends the current pass and waits for the checks in progress. The loop can be started again. */
    stop: async () => {
      if (state === 'running') state = 'stopping'
      wake()
      await finished
      await Promise.all(inFlight)
      state = 'stopped'
    },
  }
}
