import { useState, useSyncExternalStore } from 'react'
import { ownRecords } from '#lib/state/own-records.ts'
import type { LoadedList } from './pages.ts'

/**
 * One place in a list. `row` is null for an empty place: a row that disappeared while the list was on hold (`last` is
 * that row), or a row that is not read yet (`last` is null).
 */
export type Place<T> = {
  id: string
  row: T | null
  last: T | null
  /** Cursor of the page that contains it. */
  part: string
}

/** Lists the places of all loaded pages, each record once. Places of unread pages are empty. */
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
      // Rows may change their order between two reads, so a record may appear on two pages.
      if (ids.has(id)) continue
      ids.add(id)
      places.push({ id, row, last: row, part })
    }
  }
  return places
}

/** Inserts the reader's own new rows, each behind the row that it follows. */
const insertOwnRows = <T>(stable: readonly Place<T>[], fresh: readonly Place<T>[], own: ReadonlySet<string>) => {
  const shown = new Set(stable.map(({ id }) => id))
  const places = [...stable]
  let next = 0
  for (const place of fresh) {
    if (own.has(place.id) && !shown.has(place.id)) places.splice(next, 0, place)
    const here = places.findIndex(({ id }) => id === place.id)
    if (here !== -1) next = here + 1
  }
  return places
}

/**
 * Computes the places of a list. While `holding`, every row keeps its place: new rows wait, except the reader's `own`,
 * and a row that disappeared leaves an empty place. Rows after the last known one are added at once, because they move
 * nothing. Rows of a page that was unread fill its empty places.
 */
export const stabilizeRows = <T>(
  before: readonly Place<T>[],
  fresh: readonly Place<T>[],
  holding: boolean,
  own: ReadonlySet<string> = new Set(),
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
  const places = below.length === 0 ? stable : [...stable, ...below]
  return fresh.some(({ id }) => own.has(id) && !known.has(id)) ? insertOwnRows(places, fresh, own) : places
}

const countRows = <T>(places: readonly Place<T>[]) => places.reduce((sum, { row }) => sum + (row === null ? 0 : 1), 0)

/**
 * Holds every row in place while `holding`, so that nothing moves under a reader's pointer. Another `list` starts
 * afresh. `fresh` must be the same array until something changes.
 */
export const useStableRows = <T>(list: string, fresh: readonly Place<T>[], holding: boolean) => {
  const own = useSyncExternalStore(ownRecords.subscribe, ownRecords.get)
  const [state, setState] = useState({ list, fresh, holding, own, places: fresh, waiting: 0 })
  const show = (places: readonly Place<T>[]) =>
    setState({
      list,
      fresh,
      holding,
      own,
      places,
      waiting: places === fresh ? 0 : Math.max(0, countRows(fresh) - countRows(places)),
    })
  if (state.list !== list || state.fresh !== fresh || state.holding !== holding || state.own !== own)
    show(stabilizeRows(state.places, fresh, holding && state.list === list, own))
  return {
    places: state.places,
    waiting: state.waiting,
    release: () => show(fresh),
  }
}
