/** Gives back what was put in, the least `at` first. */
export const queue = <T extends { at: number }>() => {
  const heap: T[] = []
  const swap = (a: number, b: number) => {
    const first = heap[a]!
    heap[a] = heap[b]!
    heap[b] = first
  }
  return {
    put: (item: T) => {
      let place = heap.push(item) - 1
      for (let up = (place - 1) >> 1; place > 0 && heap[up]!.at > heap[place]!.at; up = (place - 1) >> 1) {
        swap(up, place)
        place = up
      }
    },
    first: (): T | undefined => heap[0],
    take: (): T | undefined => {
      const top = heap[0]
      const last = heap.pop()
      if (heap.length === 0 || last === undefined) return top
      heap[0] = last
      for (let place = 0; ;) {
        const left = 2 * place + 1
        const least = [left, left + 1].reduce(
          (best, child) => (child < heap.length && heap[child]!.at < heap[best]!.at ? child : best),
          place,
        )
        if (least === place) return top
        swap(place, least)
        place = least
      }
    },
    size: () => heap.length,
  }
}
