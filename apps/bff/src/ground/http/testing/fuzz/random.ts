/** Deterministic random draws, so that a failure can be repeated. */
export type Draws = {
  /** A whole number from 0, below `most`. */
  below: (most: number) => number
  pick: <T>(values: readonly T[]) => T
  /** True in one of `inDraws` draws on average. */
  once: (inDraws: number) => boolean
}

/** Mulberry32: small, and good enough to spread requests. */
export const drawsFrom = (seed: number): Draws => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  return { below, pick: (values) => values[below(values.length)]!, once: (inDraws) => below(inDraws) === 0 }
}
