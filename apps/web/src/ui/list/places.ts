import type { Tiles } from '#lib/tiles.ts'
import type { Place } from '#ui/stable-rows.ts'

/** The places of everything that is loaded, in order, each record once; those of parts that are not read yet are empty. */
export const placesOf = <Row>({ tiles }: Tiles<Row, unknown>, idOf: (row: Row) => string): readonly Place<Row>[] => {
  const seen = new Set<string>()
  const places: Place<Row>[] = []
  for (const { from, rows, size } of tiles) {
    const part = from ?? ''
    if (rows === null)
      for (let index = 0; index < size; index += 1)
        places.push({ id: `unread ${part} ${index}`, row: null, last: null, part })
    for (const row of rows ?? []) {
      const id = idOf(row)
      // In an order that can change, a record may stand in two parts until both are read again.
      if (seen.has(id)) continue
      seen.add(id)
      places.push({ id, row, last: row, part })
    }
  }
  return places
}
