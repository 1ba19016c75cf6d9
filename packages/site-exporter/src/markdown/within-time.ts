import { createContext, Script } from 'node:vm'

/** Longest time for one page. Milliseconds. */
export const pageTimeMs = 10_000
/** After so many pages that took too long the others get less, so that a whole site of them ends. */
const patience = 5
const impatientMs = 1_000

let work: (() => unknown) | null = null
// What runs is ordinary code of this process. The script around it is there because nothing but a script can be stopped.
const context = createContext({ run: () => work?.() })
const script = new Script('run()')

let stalled = 0

/** Thrown when work was stopped. What it was working on must not be used again. */
export class TookTooLong extends Error {}

/** Runs `wanted`, which must not wait for anything, and stops it after `ms`, even in an endless loop or regular expression. Throws `TookTooLong`. */
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
