/** The value that half of the others are below. */
export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The value that a part `q` of the others are below. NaN of nothing. */
export const quantile = (values: readonly number[], q: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * q
  const [low, high] = [sorted[Math.floor(place)] ?? NaN, sorted[Math.ceil(place)] ?? NaN]
  return low + (high - low) * (place - Math.floor(place))
}

/**
 * Measures each candidate `rounds` times in turns, so that whatever else the machine does meets all of them, after one
 * round that does not count. Gives what was measured by name.
 */
export const inTurns = async <Name extends string, T>(
  rounds: number,
  candidates: Readonly<Record<Name, () => Promise<T>>>,
): Promise<Record<Name, T[]>> => {
  const names = Object.keys(candidates) as Name[]
  const results = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Name, T[]>
  for (let round = -1; round < rounds; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const result = await candidates[name]()
      if (round >= 0) results[name].push(result)
    }
  return results
}
