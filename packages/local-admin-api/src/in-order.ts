/**
 * Does `work` for all items, `atOnce` at the same time, and gives the results in the order of the items. What is decided on them
 * (what is over a limit, which of two pages was first) then does not depend on which answer came first.
 */
export async function* inOrder<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<{ item: T; result: R }> {
  const started = new Map<number, Promise<R>>()
  let next = 0
  for (const [index, item] of items.entries()) {
    while (next < Math.min(items.length, index + atOnce)) {
      const begun = work(items[next]!)
      // It is awaited later, or never when the reader stops.
      begun.catch(() => undefined)
      started.set(next, begun)
      next += 1
    }
    const result = await started.get(index)!
    // Results may be large, and the list is long.
    started.delete(index)
    yield { item, result }
  }
}
