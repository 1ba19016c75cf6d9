/** What Docket derives for a record of a connection that is paused or gone: it watches nothing, so nothing is under way or asks for a person. */
export const lastState = {
  isWatched: false,
  pagesPerSecond: null,
  expectedAt: null,
  needsAttention: false,
  checkFailure: null,
  nextCheckAt: null,
} as const
