import { inTurnPerKey } from '@docket/once'

/** Runs work, `max` at a time and one at a time of each person, so that nobody waits for more than one of anybody else's. */
export const fairTurns = (max: number) => {
  const ofPerson = inTurnPerKey()
  const waiting: (() => void)[] = []
  let free = max
  return <T>(who: string, work: () => Promise<T>): Promise<T> =>
    ofPerson(who, async () => {
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      else free -= 1
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next === undefined) free += 1
        else next()
      }
    })
}
