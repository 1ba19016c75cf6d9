import { createContext, Script } from 'node:vm'

/** Time limit for one page. Milliseconds. */
export const pageTimeMs = 10_000
/** Timeouts after which the limit drops, so that a site of slow pages ends. */
const patience = 5
const impatientMs = 1_000

let work: (() => unknown) | null = null
// Node can interrupt scripts only, so a script calls the function.
const context = createContext({ run: () => work?.() })
const script = new Script('run()')

let stalled = 0

/** Timeouts so far. Work without one does not depend on the speed of the machine. */
export const countTimeouts = (): number => stalled

/** Work exceeded its time limit. Its data must not be used again. */
export class TookTooLong extends Error {}

/** Runs a synchronous function for at most `ms`, even through endless loops and expressions. Throws `TookTooLong`. */
export const withinTime = <T>(wanted: () => T, ms = pageTimeMs): T => {
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
