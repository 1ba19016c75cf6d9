import type { Fault } from '#proofs/harness/plant.ts'

/**
 * Lets the process of the recipes, which gets none of our environment, load broken sources as well. Not a fault by
 * itself.
 */
export const passedOn: Fault = {
  file: 'runners/built-in.ts',
  instead: 'env: { PATH: process.env.PATH,',
  write:
    "env: { ...(process.env.PLANTED_FAULTS ? { NODE_OPTIONS: process.env.SEEDED_OPTIONS, PLANTED_FAULTS: process.env.PLANTED_FAULTS, NODE_DISABLE_COMPILE_CACHE: '1' } : {}), PATH: process.env.PATH,",
}

/** Guesses between two pages. */
export const fault: Fault = {
  file: 'links/repair-path.ts',
  instead: 'if (candidates.size === 1 && only !== undefined)',
  write: 'if (only !== undefined)',
}
