/**
 * The items of a page for somebody who holds an older one, as JSON: each is a new item, or the range `[first, last]` of items of
 * the older page. Items are given by their JSON and named by their prints. Null when the pages have nothing in common.
 */
export const deltaItems = (
  base: readonly string[],
  prints: readonly string[],
  items: readonly string[],
): string | null => {
  const places = new Map(base.map((print, place) => [print, place]))
  const entries: (string | [first: number, last: number])[] = []
  for (const [index, print] of prints.entries()) {
    const place = places.get(print)
    const before = entries.at(-1)
    if (place === undefined) entries.push(items[index]!)
    else if (typeof before === 'object' && before[1] + 1 === place) before[1] = place
    else entries.push([place, place])
  }
  if (!entries.some((entry) => typeof entry === 'object')) return null
  return `[${entries.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))).join(',')}]`
}
