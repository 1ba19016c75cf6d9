import { ageEdgesMs, bucketOf, bucketRange, perBucket } from './ages.ts'
import type { Hazards } from './hazards.ts'

/** When records of one kind are read, as long as a call costs as much as so much lateness. */
export type ReadPlan = {
  /** How long a record that was found unfinished at this age waits. Milliseconds. */
  intervalMs: (ageMs: number) => number
  /** By age bucket: how many calls per millisecond a changing record takes. */
  callsPerMs: readonly number[]
}

const gridStep = 0.03
/** Shorter intervals than this part of the age see one hazard from end to end. */
const shortPart = 0.2
const firstMs = 4000
const endMs = 2 * ageEdgesMs.at(-1)!

/** Ages at which a read is tried; each 3 % further on. */
const grid: readonly number[] = (() => {
  const ages = [0]
  while (ages.at(-1)! < endMs) ages.push(ages.at(-1)! + gridStep * (ages.at(-1)! + firstMs))
  return ages
})()
const cellOf = (ageMs: number): number =>
  Math.min(grid.length - 2, Math.max(0, Math.floor(Math.log1p(ageMs / firstMs) / Math.log1p(gridStep))))
const bucketOfCell = grid.map(bucketOf)

/** How much hazard a record went through at each age of the grid, and what of all records is then left. */
const survivalOf = (hazards: Hazards) => {
  const passed = [0]
  for (let cell = 1; cell < grid.length; cell += 1) {
    let [age, sum] = [grid[cell - 1]!, passed[cell - 1]!]
    for (let bucket = bucketOfCell[cell - 1]!; age < grid[cell]!; bucket += 1) {
      const to = Math.min(grid[cell]!, bucketRange(bucket).toMs)
      sum += hazards[bucket]! * (to - age)
      age = to
    }
    passed.push(sum)
  }
  const alive = passed.map((hazard) => Math.exp(-hazard))
  const area = [0]
  for (let cell = 1; cell < grid.length; cell += 1)
    area.push(area[cell - 1]! + ((alive[cell]! + alive[cell - 1]!) / 2) * (grid[cell]! - grid[cell - 1]!))
  return { alive, area }
}

type Survival = ReturnType<typeof survivalOf>

/**
 * The cell to read at next, for each cell: the one with the least sum of lateness until then, price of the call, and cost of what
 * follows where the record is found unfinished. Exact but for the grid.
 */
const bestCells = ({ alive, area }: Survival, priceMs: number): number[] => {
  const last = grid.length - 1
  const cost = new Float64Array(grid.length)
  const next = Array.from(grid, () => last)
  cost[last] = priceMs * alive[last]!
  for (let from = last - 1; from >= 0; from -= 1) {
    let least = Infinity
    for (let to = from + 1; to <= last; to += 1) {
      const lateMs = (grid[to]! - grid[from]!) * alive[from]! - (area[to]! - area[from]!)
      if (lateMs > least) break
      const sum = lateMs + priceMs * alive[from]! + cost[to]!
      if (sum < least) {
        least = sum
        next[from] = to
      }
    }
    cost[from] = least
  }
  return next
}

/** Plans by price (milliseconds of lateness that one call is worth), made when first asked for. */
export const readPlans = (hazards: Hazards): ((priceMs: number) => ReadPlan) => {
  const made = new Map<number, ReadPlan>()
  const survival = survivalOf(hazards)
  return (priceMs) => {
    const plan = made.get(priceMs) ?? readPlan(hazards, survival, priceMs)
    made.set(priceMs, plan)
    return plan
  }
}

const readPlan = (hazards: Hazards, survival: Survival, priceMs: number): ReadPlan => {
  // A record that ends with hazard h and is read every I is h·I/2 late per unit of time, for 1/I calls: best is I = √(2·price/h).
  const shortMs = hazards.map((hazard) => Math.sqrt((2 * priceMs) / hazard))
  const isShort = grid.map((age, cell) => shortMs[bucketOfCell[cell]!]! < shortPart * (age + firstMs))
  const next = isShort.every(Boolean) ? [] : bestCells(survival, priceMs)
  const intervalMs = (ageMs: number): number => {
    const age = Math.min(endMs, Math.max(0, ageMs))
    const cell = cellOf(age)
    if (isShort[cell] === true) return shortMs[bucketOf(age)]!
    const aheadMs = grid[next[cell]!]! - age
    return aheadMs > 0 ? aheadMs : grid[next[cell + 1]!]! - age
  }
  return { intervalMs, callsPerMs: ratesOf(intervalMs) }
}

/** Calls by bucket of a record that is read from its start on. */
const ratesOf = (intervalMs: (ageMs: number) => number): number[] => {
  const calls = perBucket(() => 0)
  const last = calls.length - 1
  for (let age = 0; age < endMs;) {
    const waitMs = Math.max(1, intervalMs(age))
    // Intervals that are short beside their bucket are alike until its end.
    const bucket = bucketOf(age)
    const { toMs } = bucketRange(bucket)
    const end = waitMs < (toMs - age) / 20 ? Math.min(endMs, toMs) : Math.min(endMs, age + waitMs)
    for (let at = age, place = bucket; at < end; place += 1) {
      const to = Math.min(end, bucketRange(place).toMs)
      calls[place]! += (to - at) / waitMs
      at = to
    }
    age = end
  }
  return calls.map((count, bucket) => {
    const { fromMs, toMs } = bucketRange(bucket)
    return count / ((bucket === last ? endMs : toMs) - fromMs)
  })
}
