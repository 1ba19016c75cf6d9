export type Data = Readonly<Record<string, unknown>>

const nothing: Data = Object.freeze(Object.create(null) as Data)

export const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const asData = (value: unknown): Data => (isData(value) ? value : nothing)

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

/** Maximum entries of a list in the settings, because every page repeats them. */
export const maxEntries = 40

export const listEntries = (value: unknown): readonly unknown[] => asList(value).slice(0, maxEntries)

/** `value` as trimmed text; null if it is blank or not text. */
export const asText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

/** True for a number, and for text that is not blank. */
export const isWord = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')

/** Own property with an untrusted name, so that `constructor` finds nothing inherited. */
export const readOwn = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Data)[key] : undefined

/** Copies at most `budget.left` values and `depth` levels for JSON; `…` replaces the rest. */
export const clipValue = (value: unknown, budget: { left: number }, depth = 8): unknown => {
  if (budget.left-- <= 0) return '…'
  if (typeof value === 'string') return value.length > 2_000 ? `${value.slice(0, 2_000)}…` : value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value as unknown[]) {
      if (budget.left <= 0) break
      items.push(clipValue(item, budget, depth - 1))
    }
    return items
  }
  const copied: [string, unknown][] = []
  for (const key of Object.keys(value)) {
    if (budget.left <= 0) break
    copied.push([key, clipValue((value as Data)[key], budget, depth - 1)])
  }
  // `fromEntries` treats `__proto__` as a regular key.
  return Object.fromEntries(copied)
}

/** What each name means, from the names of each meaning: `{ tip: 'tip hint' }`. */
export const mapNames = <Meaning extends string>(
  names: Readonly<Record<Meaning, string>>,
): ReadonlyMap<string, Meaning> =>
  new Map(
    Object.entries<string>(names).flatMap(([meaning, all]) =>
      all.split(' ').map((name) => [name, meaning as Meaning] as const),
    ),
  )

/** A regular expression would take quadratic time. */
export const trimSlashes = (path: string): string => {
  let [start, end] = [0, path.length]
  while (path[start] === '/') start++
  while (end > start && path[end - 1] === '/') end--
  return path.slice(start, end)
}

/** Decodes percent-encoding. Returns malformed text unchanged. */
export const decodeAddress = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Text for an attribute in double quotes. */
export const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
