import { useState } from 'react'
import type { LoadedList } from './pages.ts'

/**
 * A place in a list. `row` is null where there is nothing to show: for one that has gone while the list was holding (`last` is what it
 * was), and for one that is known to be there but is not read yet (`last` is null).
 */
export type Place<T> = {
  id: string
  row: T | null
  last: T | null
  /** Names the page that it was read with. */
  part: string
}

/** Places of everything that is loaded, each record once; those of pages that are not read yet are empty. */
export const listPlaces = <Row>(
  { pages }: LoadedList<Row, unknown>,
  getId: (row: Row) => string,
): readonly Place<Row>[] => {
  const ids = new Set<string>()
  const places: Place<Row>[] = []
  for (const { from, rows, size } of pages) {
    const part = from ?? ''
    if (rows === null)
      for (let index = 0; index < size; index += 1)
        places.push({ id: `unread ${part} ${index}`, row: null, last: null, part })
    for (const row of rows ?? []) {
      const id = getId(row)
      // In an order that can change, a record may stand on two pages until both are read again.
      if (ids.has(id)) continue
      ids.add(id)
      places.push({ id, row, last: row, part })
    }
  }
  return places
}

/**
 * The places of a list. While `holding`, every row stays where it is: new rows wait, and a row that is gone leaves its place. Rows of the
 * next part belong below and push nothing, so they need not wait; rows of a part that was not read yet stand where its places were.
 */
export const stabilizeRows = <T>(
  before: readonly Place<T>[],
  fresh: readonly Place<T>[],
  holding: boolean,
): readonly Place<T>[] => {
  if (!holding || before.length === 0) return fresh
  const now = new Map(fresh.map((place) => [place.id, place]))
  const known = new Set(before.map(({ id }) => id))
  const used = new Set<string>()
  const stable = before.flatMap((place) => {
    const still = now.get(place.id)
    if (still) return used.has(still.id) ? [] : [still]
    if (place.last !== null) return [place.row === null ? place : { ...place, row: null }]
    const read = fresh.filter(({ id, part }) => part === place.part && !known.has(id) && !used.has(id))
    for (const { id } of read) used.add(id)
    return read
  })
  const lastKnown = fresh.findLastIndex(({ id }) => known.has(id))
  const below = lastKnown === -1 ? [] : fresh.slice(lastKnown + 1).filter(({ id }) => !used.has(id))
  return below.length === 0 ? stable : [...stable, ...below]
}

const rowsIn = <T>(places: readonly Place<T>[]) => places.reduce((sum, { row }) => sum + (row === null ? 0 : 1), 0)

/**
 * Keeps every row where it is while `holding`, so that nobody clicks or reads what has just moved there. Another `list` starts afresh.
 * `fresh` must be the same array as long as nothing changed.
 */
export const useStableRows = <T>(list: string, fresh: readonly Place<T>[], holding: boolean) => {
  const [state, setState] = useState({ list, fresh, holding, places: fresh, waiting: 0 })
  const show = (places: readonly Place<T>[]) =>
    setState({
      list,
      fresh,
      holding,
      places,
      waiting: places === fresh ? 0 : Math.max(0, rowsIn(fresh) - rowsIn(places)),
    })
  if (state.list !== list || state.fresh !== fresh || state.holding !== holding)
    show(stabilizeRows(state.places, fresh, holding && state.list === list))
  return {
    places: state.places,
    /** How many new rows wait. */
    waiting: state.waiting,
    /** Shows them. */
    release: () => show(fresh),
  }
}
