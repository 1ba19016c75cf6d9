/** A page from the API. `nextCursor` is where the rest of its range begins; null at the end of the range. */
export type Page<Row, Counts> = { items: readonly Row[]; nextCursor: string | null; counts: Counts }

/** Range of a page: from after cursor `from` up to the next page's cursor. */
export type PageSlot<Row> = {
  from: string | null
  /** Number of placeholder rows until the page is read; 0 when it was never read. */
  size: number
  /** Rows known from before this page was split from another one. */
  rows?: readonly Row[]
}

/** The loaded part of a list. `rows` is null for a page that is not read yet. */
export type LoadedList<Row, Counts> = {
  /** Identifies the list and its filter. */
  list: string
  pages: readonly { from: string | null; size: number; rows: readonly Row[] | null }[]
  /** Cursor of the next page; null at the end, and while it is unknown. */
  next: string | null
  /** Null before the first response. */
  counts: Counts | null
}

export const firstSlot: PageSlot<never> = { from: null, size: 0 }

/** Cursor that the page at `from` ends with; null for the last page. */
export const findPageEnd = (slots: readonly PageSlot<unknown>[], from: string | null): string | null =>
  slots[slots.findIndex((slot) => slot.from === from) + 1]?.from ?? null

/**
 * Splits a page that no longer fits into one response. The rest becomes a page of its own, with the rows known so far.
 */
export const splitPage = <Row>(
  slots: readonly PageSlot<Row>[],
  { from, at, rows }: { from: string | null; at: string; rows: readonly Row[] },
): readonly PageSlot<Row>[] =>
  slots.toSpliced(slots.findIndex((slot) => slot.from === from) + 1, 0, { from: at, size: 0, rows })

/** Combines the pages read so far. `known` holds their responses in the order of the slots. */
export const combinePages = <Row, Counts>(
  list: string,
  slots: readonly PageSlot<Row>[],
  known: readonly (Page<Row, Counts> | undefined)[],
): LoadedList<Row, Counts> => ({
  list,
  pages: slots.map(({ from, size, rows }, index) => {
    const read = known[index]?.items ?? rows ?? null
    return { from, size: read?.length ?? size, rows: read }
  }),
  next: known.at(-1)?.nextCursor ?? null,
  counts: known.find((page) => page !== undefined)?.counts ?? null,
})

export const isSameList = <Row, Counts>(a: LoadedList<Row, Counts>, b: LoadedList<Row, Counts>): boolean =>
  a.list === b.list &&
  a.next === b.next &&
  a.counts === b.counts &&
  a.pages.length === b.pages.length &&
  a.pages.every(({ from, rows }, index) => from === b.pages[index]?.from && rows === b.pages[index].rows)

export const listLoadedRows = <Row>({ counts, pages }: LoadedList<Row, unknown>): readonly Row[] | undefined =>
  counts === null ? undefined : pages.flatMap(({ rows }) => rows ?? [])
