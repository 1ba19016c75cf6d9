import { hashKey, skipToken, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refetchInterval } from '#lib/polling/polling.ts'
import { usePaused } from '#ui/live/ticking.tsx'
import { createLivePages, type ListCounts, type ListSource } from './live-pages.ts'
import { firstSlot, isSameList, combinePages, type Page, type PageSlot } from './pages.ts'
import type { PageContext } from './read-page.ts'
import { readSavedSlots } from './use-scroll-place.ts'

/** An older page is read again when it comes into view. Milliseconds. */
const staleMs = 5000

/**
 * Loads a list with one query per page. Polls the first page and those on screen; `show` sets which are on screen,
 * `goOn` loads the next page. Keeps the previous rows while another filter loads.
 */
export const useLiveList = <Row, Counts extends ListCounts>(source: ListSource<Row, Counts>) => {
  const { queryKey, isLive } = source
  const list = hashKey(queryKey)
  const client = useQueryClient()
  const paused = usePaused()
  const [onScreen, setOnScreen] = useState<ReadonlySet<string | null>>(new Set([null]))
  const { slotsKey, pageKey, read, isNew, goOn } = createLivePages(client, source)

  const slots = useQuery<readonly PageSlot<Row>[]>({
    queryKey: slotsKey,
    queryFn: skipToken,
    initialData: () => readSavedSlots(list) ?? [firstSlot],
    structuralSharing: false,
  }).data!
  const queries = useQueries({
    queries: slots.map((slot) => ({
      queryKey: pageKey(slot.from),
      queryFn: (context: PageContext) => read(slot.from, context),
      enabled: slot.from === null || onScreen.has(slot.from) || isNew(slot),
      staleTime: paused ? Infinity : staleMs,
      // `readPage` already keeps equal rows.
      structuralSharing: false,
      refetchInterval: refetchInterval<Page<Row, Counts>>({
        paused,
        isLive: ({ counts, items }) => counts.active > 0 || items.some(isLive),
      }),
    })),
  })

  const loaded = combinePages(
    list,
    slots,
    queries.map(({ data }) => data),
  )
  const [displayed, setDisplayed] = useState(loaded)
  const isKnown = loaded.counts !== null || loaded.pages.some(({ size }) => size > 0)
  if (isKnown && !isSameList(displayed, loaded)) setDisplayed(loaded)

  const lastSlot = slots.at(-1)
  return {
    data: displayed,
    /** True while the rows belong to the previous filter. */
    isPlaceholder: displayed.list !== list,
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    dataUpdatedAt: queries[0]?.dataUpdatedAt ?? 0,
    refetch: () => void client.refetchQueries({ queryKey, type: 'active' }),
    goingOn: lastSlot !== undefined && lastSlot.from !== null && isNew(lastSlot),
    goOn: () => (displayed.list === list ? goOn() : undefined),
    show: (froms: ReadonlySet<string | null>) =>
      setOnScreen((before) =>
        before.size === froms.size && [...froms].every((from) => before.has(from)) ? before : froms,
      ),
  }
}
