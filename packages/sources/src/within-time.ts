import { createContext, Script } from 'node:vm'

/** Time limit for one page. Milliseconds. */
export const pageTimeMs = 10_000
/** Number of timeouts after which the limit drops, so that the export of a site with many slow pages ends. */
const patience = 5
const impatientMs = 1_000

let work: (() => unknown) | null = null
// Node can interrupt only scripts, so a script calls the function.
const context = createContext({ run: () => work?.() })
const script = new Script('run()')

let stalled = 0

/** Timeouts so far. A result does not depend on the speed of the machine if no timeout occurred. */
export const countTimeouts = (): number => stalled

/** Thrown when work exceeds its time limit. The data of that work must not be used again. */
export class TookTooLong extends Error {}

/** Runs a synchronous function for at most `ms`, and interrupts even endless loops and regular expressions. Throws `TookTooLong`. */
export const runWithinTime = <T>(wanted: () => T, ms = pageTimeMs): T => {
  const outer = work
  work = wanted
  const timeout = stalled < patience ? ms : Math.min(ms, impatientMs)
  try {
    return script.runInContext(context, { timeout }) as T
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    stalled++
    throw new TookTooLong(`it took longer than ${timeout / 1000} s`)
  } finally {
    work = outer
  }
}
