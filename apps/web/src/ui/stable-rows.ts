import { useRef, useState } from 'react'

/** A place in a list: the row, or null for one that has gone while the pointer was over the list. */
export type Place<T> = { id: string; row: T | null; last: T }

/**
 * Keeps every row where it is while a pointer or the focus is inside the list, so that nobody clicks what has just moved there:
 * new rows wait, and a row that is gone leaves its place. Spread `hold` on the list.
 */
export const useStableRows = <T>(rows: readonly T[], idOf: (row: T) => string) => {
  const [held, setHeld] = useState(false)
  const order = useRef<readonly Place<T>[]>([])
  const byId = new Map(rows.map((row) => [idOf(row), row]))
  const known = new Set(order.current.map((place) => place.id))
  const fresh = rows.map((row) => ({ id: idOf(row), row, last: row }))
  if (held && order.current.length > 0) {
    // Rows of the next page belong below and push nothing, so they need not wait.
    const lastKnown = rows.findLastIndex((row) => known.has(idOf(row)))
    const below = fresh.slice(lastKnown + 1)
    const kept = order.current.map(({ id, last }) => ({ id, row: byId.get(id) ?? null, last: byId.get(id) ?? last }))
    order.current = [...kept, ...(lastKnown >= 0 ? below : [])]
  } else {
    order.current = fresh
  }
  const places = order.current
  return {
    places,
    waiting: rows.length - places.filter((place) => place.row !== null).length,
    release: () => setHeld(false),
    hold: {
      // A dialog that closes over the list makes the pointer enter it without anybody pointing at a row.
      onPointerMove: () => setHeld(true),
      onPointerLeave: () => setHeld(false),
    },
  }
}
