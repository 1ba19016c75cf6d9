import { seeded } from '#bench/schedule/random.ts'

/** Pages that one export writes a second, and what its process needs to start: `pnpm bench --only exports` on two cores. */
const pagesPerSecond = 75
const startMs = 500

/** How one attempt ends, and when. */
export type Drawn = { ms: number; end: 'completed' | 'failed' | 'crashed' }

/**
 * Draws attempts: sites of 30 to 1,500 pages, 150 in the middle, rendered whole. One in a hundred fails, and one in two hundred
 * crashes.
 */
export const drawAttempts = (seed: number) => {
  const random = seeded(seed)
  return (): Drawn => {
    // Box and Muller.
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    const pages = Math.min(1_500, Math.max(30, 150 * Math.exp(0.8 * normal)))
    const luck = random()
    return {
      ms: startMs + (1_000 * pages) / pagesPerSecond,
      end: luck < 0.01 ? 'failed' : luck < 0.015 ? 'crashed' : 'completed',
    }
  }
}
