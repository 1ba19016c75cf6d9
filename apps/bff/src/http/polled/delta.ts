/** The items of a page by which another page can be told: of each its print, its key and itself. */
export type PageItems = readonly { print: string; key: string | null; item: object; json: string }[]

type Entry = string | [first: number, last: number]

/** The fields of an item that differ from an older one's, as JSON; null when a field is gone, which no patch can say. */
const patchOf = (before: object, after: object): string | null => {
  const old = new Map(Object.entries(before))
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name)),
  )
  return Object.keys(before).every((name) => name in after) ? JSON.stringify(Object.fromEntries(changed)) : null
}

/**
 * The items of a page for somebody who holds an older one, as JSON: each is the range `[first, last]` of items of the older page, an
 * item of it with other values of some fields, `[place, { field: value }]`, or a new item. Null when the pages have nothing in common.
 */
export const deltaItems = (base: PageItems, page: PageItems): string | null => {
  const byPrint = new Map(base.map(({ print }, place) => [print, place]))
  const byKey = new Map(base.map(({ key }, place) => [key, place]))
  const entries: Entry[] = []
  for (const { print, key, item, json } of page) {
    const place = byPrint.get(print)
    const before = entries.at(-1)
    if (place !== undefined) {
      if (typeof before === 'object' && before[1] + 1 === place) before[1] = place
      else entries.push([place, place])
      continue
    }
    const old = key === null ? undefined : byKey.get(key)
    const patch = old === undefined ? null : patchOf(base[old]!.item, item)
    entries.push(patch === null ? json : `[${old},${patch}]`)
  }
  if (!entries.some((entry) => typeof entry === 'object' || entry.startsWith('['))) return null
  return `[${entries.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))).join(',')}]`
}
