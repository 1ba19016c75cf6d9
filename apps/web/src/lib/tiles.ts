/** What the server answers for a part of a list. `nextCursor` is where the rest of the part begins; null when it is whole. */
export type ListPart<Row, Counts> = { items: readonly Row[]; nextCursor: string | null; counts: Counts }

/** The part of a list after the row of one cursor up to and including the row of the next; to the end of what is loaded when `until` is null. */
export type Tile<Row> = {
  from: string | null
  until: string | null
  /** Null when it is known to be there but is not read yet. */
  rows: readonly Row[] | null
  /** How many rows it has or, not read yet, had when it was last seen. */
  size: number
}

/** A list as far as it is loaded: tiles that meet without gap and overlap, whatever happens to single rows. */
export type Tiles<Row, Counts> = {
  /** Names the list and its filter. */
  list: string
  tiles: readonly Tile<Row>[]
  /** Where the list goes on; null at its end, and while that is not known. */
  next: string | null
  /** Null before the first answer. */
  counts: Counts | null
}

/** A part that was asked for and what came. */
export type Answer<Row, Counts> = { from: string | null; until: string | null; part: ListPart<Row, Counts> }

/** A list of which nothing is read yet. */
export const noTiles = (list: string): Tiles<never, never> => ({
  list,
  tiles: [{ from: null, until: null, rows: null, size: 0 }],
  next: null,
  counts: null,
})

const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b)

/** `rows` with the objects of `before` in place of equal ones, and `before` itself when nothing is different. */
const kept = <Row>(before: readonly Row[] | null, rows: readonly Row[], idOf: (row: Row) => string): readonly Row[] => {
  if (before === null || before === rows) return rows
  const known = new Map(before.map((row) => [idOf(row), row]))
  const next = rows.map((row) => {
    const held = known.get(idOf(row))
    return held !== undefined && isSame(held, row) ? held : row
  })
  return next.length === before.length && next.every((row, index) => row === before[index]) ? before : next
}

const refreshed = <Row>(tile: Tile<Row>, rows: readonly Row[], until: string | null): Tile<Row> =>
  tile.rows === rows && tile.until === until ? tile : { from: tile.from, until, rows, size: rows.length }

/**
 * The list with an answer in its place. An answer for a part that is no longer asked for changes nothing. A part that has outgrown one
 * answer is cut in two; what is known of the second stays until it is read.
 */
export const withAnswer = <Row, Counts>(
  list: Tiles<Row, Counts>,
  { from, until, part }: Answer<Row, Counts>,
  idOf: (row: Row) => string,
): Tiles<Row, Counts> => {
  const at = list.tiles.findIndex((tile) => tile.from === from && tile.until === until)
  const tile = list.tiles[at]
  if (!tile) return list
  const rows = kept(tile.rows, part.items, idOf)
  const cutAt = until === null ? null : part.nextCursor
  const parts = [refreshed(tile, rows, cutAt ?? until)]
  if (cutAt !== null) {
    const here = new Set(rows.map(idOf))
    const rest = tile.rows?.filter((row) => !here.has(idOf(row))) ?? null
    parts.push({ from: cutAt, until, rows: rest, size: rest?.length ?? 0 })
  }
  const next = until === null ? part.nextCursor : list.next
  const counts = at === 0 || list.counts === null ? part.counts : list.counts
  const isUnchanged = parts.length === 1 && parts[0] === tile && next === list.next && isSame(counts, list.counts)
  return isUnchanged ? list : { ...list, tiles: list.tiles.toSpliced(at, 1, ...parts), next, counts }
}

/** The list with a tile more, to be read from where it goes on; the same when it goes on nowhere. */
export const withNext = <Row, Counts>(list: Tiles<Row, Counts>): Tiles<Row, Counts> => {
  const last = list.tiles.at(-1)
  if (list.next === null || !last) return list
  const open: Tile<Row> = { from: list.next, until: null, rows: null, size: 0 }
  return { ...list, tiles: [...list.tiles.slice(0, -1), { ...last, until: list.next }, open], next: null }
}

type Tiled<Row, Counts> = {
  /** What is held now; asked again after every wait, because others change it meanwhile. */
  current: () => Tiles<Row, Counts>
  isWanted: (tile: Tile<Row>) => boolean
  read: (tile: Tile<Row>) => Promise<ListPart<Row, Counts>>
  idOf: (row: Row) => string
}

/** How many answers in a row may say that there is more between two cursors, before the rest waits until somebody looks at it. */
const mostCuts = 6

/** The list after the wanted tiles were read, and what they grew by. Rejects when one of them cannot be read. */
export const readTiles = async <Row, Counts>({ current, isWanted, read, idOf }: Tiled<Row, Counts>) => {
  const answers: Answer<Row, Counts>[] = []
  const result = () => answers.reduce((list, answer) => withAnswer(list, answer, idOf), current())
  let wanted = current().tiles.filter(isWanted)
  for (let cuts = 0; wanted.length > 0 && cuts < mostCuts; cuts += 1) {
    answers.push(
      ...(await Promise.all(
        wanted.map(async (tile) => ({ from: tile.from, until: tile.until, part: await read(tile) })),
      )),
    )
    const begun = new Set(answers.flatMap(({ until, part }) => (until === null ? [] : [part.nextCursor])))
    for (const { from } of answers) begun.delete(from)
    wanted = result().tiles.filter(({ from }) => from !== null && begun.has(from))
  }
  return result()
}
