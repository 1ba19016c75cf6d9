/** Clocks of replicas differ by less than this. One that is further behind was set back, and waiting for it would stop everything. Milliseconds. */
export const clocksDifferMs = 120_000
