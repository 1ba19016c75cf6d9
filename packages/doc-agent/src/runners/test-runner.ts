import type { Runner } from './runner.ts'

/** Runner that a test of this process puts in the place of a command. Null outside of tests. */
export const testRunner: { current: Runner | null } = { current: null }
