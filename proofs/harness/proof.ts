import type { Fault } from './plant.ts'

/** How to play a proof. */
export type PlayOptions = {
  /** First breaks what the proof is about. The proof must then report `ok: false`. */
  planted: boolean
  /** Plays the same with smaller counts, for `npm test`. A proof without counts ignores it. */
  quick: boolean
}

/**
 * A guarantee, played on running processes. Each has a file that exports it as `proof`, and a line in `proofs/list.ts`.
 */
export type Proof = {
  name: string
  /** The figure it must reach, as a sentence. */
  bar: string
  /** Every piece of product source that the proof can replace. A test checks that each still fits. */
  faults: readonly Fault[]
  /**
   * Plays it. `ok` is true when it reached the bar, and `figure` has the counts. Rejects only when it could not be
   * played at all, which proves nothing either way.
   */
  run: (options: PlayOptions) => Promise<{ ok: boolean; figure: string }>
}
