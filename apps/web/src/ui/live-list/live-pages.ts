import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { ListRange } from '#lib/address/list-search.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { findPageEnd, firstSlot, splitPage, type Page, type PageSlot } from './pages.ts'
import type { PageContext } from './read-page.ts'

/** Number of matches; `more` when there are more than `count`. */
export type MatchCount = { count: number; more: boolean }

/** Counts of a list; `active` records can change by themselves. */
export type ListCounts = { all: number; active: number; matching: MatchCount | null }

export type ListSource<Row, Counts extends ListCounts> = {
  /** Key of list and filter. Invalidating a prefix of it reads every list below that prefix again. */
  queryKey: QueryKey
  /** Reads the rows after cursor `from` up to cursor `until`. */
  read: (range: ListRange, context: PageContext) => Promise<Page<Row, Counts>>
  getId: (row: Row) => string
  isLive: (row: Row) => boolean
}

export const createLivePages = <Row, Counts extends ListCounts>(
  client: QueryClient,
  source: ListSource<Row, Counts>,
) => {
  type Slots = readonly PageSlot<Row>[]
  const { queryKey, getId } = source
  const slotsKey = [...queryKey, 'slots']
  const pageKey = (from: string | null) => [...queryKey, 'page', from]
  const slots = (): Slots => client.getQueryData(slotsKey) ?? [firstSlot]
  const setSlots = (next: Slots) => void client.setQueryData<Slots>(slotsKey, next)
  const knownPage = (from: string | null) => client.getQueryData<Page<Row, Counts>>(pageKey(from))

  /** Reads the page at `from` up to the next page. Splits a page that no longer fits into one response. */
  const read = async (from: string | null, context: PageContext): Promise<Page<Row, Counts>> => {
    const until = findPageEnd(slots(), from)
    let page: Page<Row, Counts>
    try {
      page = await source.read({ from, until }, context)
    } catch (error) {
      // Another release may have saved the cursor. The start of the list always exists.
      if (!(error instanceof ApiError) || error.code !== 'invalid_request' || slots().length === 1) throw error
      setSlots([firstSlot])
      if (from !== null) throw error
      return read(null, context)
    }
    // Another read split the page in the meantime.
    if (findPageEnd(slots(), from) !== until) return read(from, context)
    if (until !== null && page.nextCursor !== null) {
      const here = new Set(page.items.map(getId))
      const rows = knownPage(from)?.items.filter((row) => !here.has(getId(row))) ?? []
      setSlots(splitPage(slots(), { from, at: page.nextCursor, rows }))
    }
    return page
  }

  return {
    slotsKey,
    pageKey,
    read,
    /** True for a page that was added and never read. */
    isNew: ({ from, size }: PageSlot<Row>) => size === 0 && knownPage(from) === undefined,
    /** Adds the next page. Idempotent until that page is read. */
    goOn: () => {
      const next = knownPage(slots().at(-1)?.from ?? null)?.nextCursor ?? null
      if (next !== null) setSlots([...slots(), { from: next, size: 0 }])
    },
  }
}
