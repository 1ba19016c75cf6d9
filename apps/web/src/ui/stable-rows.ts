import { useState } from 'react'

/** A place in a list: the row, or null for one that has gone while the list was held. */
export type Place<T> = { id: string; row: T | null; last: T }

/**
 * The places of `rows`. While `held`, every row stays where it is: new rows wait, and a row that is gone leaves its place.
 * Rows of the next page belong below and push nothing, so they need not wait.
 */
export const arrange = <T>(
  before: readonly Place<T>[],
  rows: readonly T[],
  idOf: (row: T) => string,
  held: boolean,
): readonly Place<T>[] => {
  const fresh = rows.map((row) => ({ id: idOf(row), row, last: row }))
  if (!held || before.length === 0) return fresh
  const now = new Map(fresh.map((place) => [place.id, place]))
  const known = new Set(before.map(({ id }) => id))
  const lastKnown = fresh.findLastIndex(({ id }) => known.has(id))
  const kept = before.map((place) => now.get(place.id) ?? { ...place, row: null })
  return lastKnown === -1 ? kept : [...kept, ...fresh.slice(lastKnown + 1)]
}

/**
 * Keeps every row where it is while the pointer is over the list, so that nobody clicks what has just moved there.
 * Spread `hold` on the list. `rows` must be the same array as long as nothing changed.
 */
export const useStableRows = <T>(rows: readonly T[], idOf: (row: T) => string) => {
  const [held, setHeld] = useState(false)
  const [places, setPlaces] = useState(() => arrange<T>([], rows, idOf, false))
  const [seen, setSeen] = useState({ rows, held })
  if (seen.rows !== rows || seen.held !== held) {
    setSeen({ rows, held })
    setPlaces(arrange(places, rows, idOf, held))
  }
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
