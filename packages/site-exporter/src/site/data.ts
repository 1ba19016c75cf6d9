/** An object of somebody else's document. Its values may be anything. */
export type Data = Readonly<Record<string, unknown>>

const nothing: Data = Object.freeze(Object.create(null) as Data)

/** Whether `value` is an object with keys. */
export const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `value` when it is an object, otherwise one without keys. */
export const asData = (value: unknown): Data => (isData(value) ? value : nothing)

/** `value` when it is a list, otherwise an empty one. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

/** `value` trimmed when it is a text that is not blank, otherwise null. */
export const asText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

/** Value under a name that the document chose; names such as `constructor` find nothing that was not written there. */
export const own = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Data)[key] : undefined

/** Copy of at most `budget.left` values and `depth` levels, so that it can be written as JSON; the rest becomes `…`. */
export const clip = (value: unknown, budget: { left: number }, depth = 8): unknown => {
  if (budget.left-- <= 0) return '…'
  if (typeof value === 'string') return value.length > 2_000 ? `${value.slice(0, 2_000)}…` : value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value as unknown[]) {
      if (budget.left <= 0) break
      items.push(clip(item, budget, depth - 1))
    }
    return items
  }
  const copied: [string, unknown][] = []
  for (const key of Object.keys(value)) {
    if (budget.left <= 0) break
    copied.push([key, clip((value as Data)[key], budget, depth - 1)])
  }
  // `fromEntries` defines its keys, so `__proto__` is one like any other.
  return Object.fromEntries(copied)
}
