import { setTimeout as sleep } from 'node:timers/promises'

/** A pause over a small site is to be watched as well. */
const minSteps = 60

/** Spreads a pause over the pages of a site: `pause` takes the part of one page, and says with each of its steps how much of it is over (to 1). */
export const pausing =
  (pauseMs: number) =>
  async (total: number, say: (part: number) => Promise<void>): Promise<void> => {
    const steps = pauseMs > 0 ? Math.ceil(minSteps / total) : 0
    for (let step = 0; step < steps; step += 1) {
      await say(step / steps)
      await sleep(pauseMs / total / steps)
    }
    await say(1)
  }
