import type { Fault } from '#scripts/prove/running/plant.ts'

/** A guarantee that is played in full, too long for a unit test. One per file `scripts/prove/<name>.ts`, exported as `proof`. */
export type Proof = {
  /** Name of its file. */
  name: string
  /** The figure it must reach, as a sentence. */
  bar: string
  /** Every piece of product source that the proof replaces, with `planted` or without. A test checks that each still fits. */
  faults: readonly Fault[]
  /**
   * Plays it and says what was counted; `ok` is whether the bar was reached. With `planted` it first breaks what it is about, and must
   * then come out with `ok: false`. Rejects only when it could not be played at all, which proves nothing either way.
   */
  run: (options: { planted: boolean }) => Promise<{ ok: boolean; figure: string }>
}
