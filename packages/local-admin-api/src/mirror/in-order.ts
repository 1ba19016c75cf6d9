/**
 * Does `work` for all items, `atOnce` at the same time, and gives the results in the order of the items. What is decided on them
 * (what is over a limit, which of two pages was first) then does not depend on which answer came first.
 */
export async function* inOrder<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<{ item: T; result: R }> {
  const started: Promise<R>[] = []
  for (const [index, item] of items.entries()) {
    while (started.length < Math.min(items.length, index + atOnce)) {
      const begun = work(items[started.length]!)
      // It is awaited later, or never when the reader stops.
      begun.catch(() => undefined)
      started.push(begun)
    }
    const result = await started[index]!
    // Results may be large, and the list is long.
    delete started[index]
    yield { item, result }
  }
}
