/** Largest accepted difference between the clocks of two replicas. A clock further behind was set back. Milliseconds. */
export const maxClockSkewMs = 120_000
