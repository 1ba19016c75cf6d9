type Range = readonly [first: number, last: number]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The content of an entity tag, which a proxy that compresses may have made weak. */
const contentOf = (etag: unknown) => (typeof etag === 'string' ? etag.replace(/^W\//u, '').replaceAll('"', '') : null)

const isRange = (entry: unknown, length: number): entry is Range => {
  if (!Array.isArray(entry) || entry.length !== 2) return false
  const [first, last] = entry as unknown[]
  return (
    Number.isInteger(first) &&
    Number.isInteger(last) &&
    0 <= Number(first) &&
    Number(first) <= Number(last) &&
    Number(last) < length
  )
}

const isPatch = (entry: unknown, length: number): entry is readonly [place: number, fields: Record<string, unknown>] =>
  Array.isArray(entry) && entry.length === 2 && isObject(entry[1]) && isRange([entry[0], entry[0]], length)

const rowsOf = (entries: readonly unknown[], held: readonly unknown[]): unknown[] | null => {
  const rows: unknown[] = []
  const taken = new Set<number>()
  for (const entry of entries) {
    if (isObject(entry)) rows.push(entry)
    else if (isPatch(entry, held.length)) {
      const [place, fields] = entry
      if (taken.has(place)) return null
      taken.add(place)
      rows.push({ ...(held[place] as object), ...fields })
    } else if (!isRange(entry, held.length)) return null
    else
      for (let index = entry[0]; index <= entry[1]; index += 1) {
        // A row that comes twice was not sent by anybody who knows the page.
        if (taken.has(index)) return null
        taken.add(index)
        rows.push(held[index])
      }
  }
  return rows
}

/** True for an answer that tells only what changed, also when a proxy has lost the header that says so. */
export const isDelta = (body: unknown): body is Record<string, unknown> =>
  isObject(body) && 'base' in body && 'items' in body

/**
 * The page that a delta stands for: the held rows it names, the very same objects, between the new ones. Null when it does not fit the
 * page that is held (`held`, known as `etag`), and the whole page must be asked for.
 */
export const rebuilt = (held: unknown, etag: string, delta: Record<string, unknown>): unknown => {
  const { base, items, ...rest } = delta
  if (!isObject(held) || !Array.isArray(held['items']) || !Array.isArray(items)) return null
  if (contentOf(base) === null || contentOf(base) !== contentOf(etag)) return null
  if (!('nextCursor' in rest) || !isObject(rest['counts'])) return null
  const rows = rowsOf(items, held['items'])
  return rows && { ...rest, items: rows }
}
