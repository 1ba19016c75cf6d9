import type { Log } from '#log/log.ts'
import { fullJitter } from '#watch/intervals.ts'
import { realTimer, type Timer } from '#watch/timer.ts'

/** What a loop needs to know about the records it watches. Every function may fail while the database is away. */
export type WatchedRecords<Row> = {
  /** Leases up to `limit` due records; see `claimDue`. */
  claim: (limit: number) => Promise<Row[]>
  /** Reads one record upstream and writes the answer back. Failures of the service are its own business, not thrown. */
  check: (row: Row) => Promise<void>
  /** When the next record is due, or null when nothing is watched. */
  nextDueAt: () => Promise<Date | null>
}

/** A running watcher. */
export type WatchLoop = {
  start: () => void
  /** Looks for due records now; called after one was made due. */
  wake: () => void
  /** Ends the pass under way, claims nothing more and waits for the checks in flight. It can be started again. */
  stop: () => Promise<void>
}

/** Another process may make a record due without a word to this one, so no sleep is longer. */
const longestSleepMs = 15_000
/** Between two passes that found nothing although something is due: leased elsewhere, or its gate is closed. */
const idlePassMs = 250

/**
 * Checks due records, at most `concurrency` at once, and sleeps until the next one is due. It outlives failures of the
 * database (it tries again with growing pauses), and does nothing upstream while nothing is due.
 */
export const watchLoop = <Row>(
  options: WatchedRecords<Row> & {
    name: string
    /** Milliseconds since the epoch. */
    now: () => number
    log: Log
    concurrency?: number
    timer?: Timer
  },
): WatchLoop => {
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
        // The lease stays and runs out, so the record is checked again later, and not in a tight circle.
        log.error({ err: error, watcher: name }, 'a check could not be finished')
      })
      .finally(() => {
        inFlight.delete(running)
        wake()
      })
    inFlight.add(running)
  }

  /** One pass; answers how long to sleep after it. */
  const pass = async (): Promise<number> => {
    const free = concurrency - inFlight.size
    if (free <= 0) return longestSleepMs
    const rows = await claim(free)
    for (const row of rows) launch(row)
    if (rows.length > 0) return 0
    const due = await nextDueAt()
    if (due === null) return longestSleepMs
    return Math.min(longestSleepMs, Math.max(idlePassMs, due.getTime() - now()))
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
        pauseMs = 250 + fullJitter(failures, { baseMs: 500, capMs: longestSleepMs })
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
    stop: async () => {
      if (state === 'running') state = 'stopping'
      wake()
      await finished
      await Promise.all(inFlight)
      state = 'stopped'
    },
  }
}
