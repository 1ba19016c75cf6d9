import type { Durations } from './durations.ts'

/** Ages at which a read is tried: a twentieth of the best interval apart, or less. */
const readAges = ({ survival, longestMs }: Durations, priceMs: number, fineness: number): number[] => {
  const ages = [0]
  for (let age = 0; age < longestMs;) {
    const nearMs = Math.max(1, age / 100)
    const alive = survival(age)
    const hazard = alive <= 0 ? 0 : Math.max(0, 1 - survival(age + nearMs) / alive) / nearMs
    const fluidMs = Math.sqrt((2 * priceMs) / Math.max(hazard, 1e-12))
    age += Math.max(10, Math.min(fluidMs / 20, (age + 20_000) / 25, longestMs / 100)) / fineness
    ages.push(Math.min(age, longestMs))
  }
  return ages
}

/** Points of the grid that one interval may span where there are too many to try all. */
const widest = 150
const fewest = 3000

/**
 * The least expected sum of lateness and price of the calls, for one record whose calls cost `priceMs` of lateness each: over all
 * sequences of reads, by dynamic programming over the age of the last read that found it unfinished. A read is paid for when it is
 * made, that is when the one before found the record unfinished. `fineness` 2 tries twice as many ages.
 */
export const leastCost = (durations: Durations, priceMs: number, fineness = 1): number => {
  const ages = readAges(durations, priceMs, fineness)
  const alive = ages.map(durations.survival)
  const area = [0]
  for (let place = 1; place < ages.length; place += 1)
    area.push(area[place - 1]! + ((alive[place]! + alive[place - 1]!) / 2) * (ages[place]! - ages[place - 1]!))
  const cost = new Float64Array(ages.length)
  const span = ages.length > fewest ? widest : ages.length
  for (let from = ages.length - 2; from >= 0; from -= 1) {
    if (alive[from] === 0) continue
    let least = Infinity
    const end = Math.min(ages.length - 1, from + span)
    for (let to = from + 1; to <= end; to += 1) {
      const lateMs = (ages[to]! - ages[from]!) * alive[from]! - (area[to]! - area[from]!)
      // It only grows, and what follows costs something.
      if (lateMs > least) break
      const sum = lateMs + priceMs * alive[from]! + cost[to]!
      if (sum < least) least = sum
    }
    cost[from] = least
  }
  return cost[0]!
}
