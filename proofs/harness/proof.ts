import type { Fault } from './plant.ts'

/** How to play a proof. */
export type PlayOptions = {
  /** First plants the fault. The proof must then report `ok: false`. */
  planted: boolean
  /** Plays the same with smaller counts, for `npm test` and `deploy-mounts`. A proof without counts ignores it. */
  quick: boolean
}

/**
 * A guarantee, played on running processes. Each has a file that exports it as `proof`, and a line in `proofs/list.ts`.
 */
export type Proof = {
  name: string
  /** The figure it must reach, as a sentence. */
  bar: string
  /** A piece of product source to break, and a test checks that it still fits. Null for tests that plant their own. */
  fault: Fault | null
  /** Other pieces of product source that it replaces to do its work. */
  alsoReplaced?: readonly Fault[]
  /**
   * Plays it. `ok` is true when it reached the bar, and `figure` has the counts. Rejects only when it could not be
   * played at all, which proves nothing either way.
   */
  run: (options: PlayOptions) => Promise<{ ok: boolean; figure: string }>
}
