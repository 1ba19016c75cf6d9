import { inTurnPerKey } from '@docket/once'

/** Runs tasks of the same repository one at a time, so that a second click waits for the first and sees its result. */
export const inTurn = inTurnPerKey()
