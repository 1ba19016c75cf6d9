import { hashKey, keepPreviousData, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useRef } from 'react'
import { ApiError } from '#lib/api-error.ts'
import { failingOf, pollMs, polling, type QueryHealth } from '#lib/polling.ts'
import { noTiles, readTiles, withNext, type ListPart, type Tile, type Tiles } from '#lib/tiles.ts'
import { usePaused } from '#ui/use-paused.ts'
import { savedTiles } from './saved-list.ts'

/** Counts of a list; `active` of its records can change by themselves. */
export type ListCounts = { all: number; active: number; matching: { count: number; more: boolean } | null }

/** A list and its filter: where it comes from and what its rows are. */
export type ListSource<Row, Counts extends ListCounts> = {
  /** Names list and filter. Everything that begins with the same words is read again together. */
  queryKey: QueryKey
  /** Reads the part after `from` up to `until`. */
  read: (part: Pick<Tile<Row>, 'from' | 'until'>, signal: AbortSignal | undefined) => Promise<ListPart<Row, Counts>>
  idOf: (row: Row) => string
  /** True while a row can change by itself. */
  isLive: (row: Row) => boolean
}

/** Asked for, and not known yet. */
const isNew = ({ rows, size }: Tile<unknown>) => rows === null && size === 0

/** Older than this, a part is read again when it comes into view. */
const staleMs = 5000

/**
 * A list of any length. Parts on screen and the first are kept fresh by one poll; others are read again when `show` says that they
 * come into view; `goOn` loads the next. While another filter loads, the rows of the one before stay.
 */
export const useTiledList = <Row, Counts extends ListCounts>(source: ListSource<Row, Counts>) => {
  type List = Tiles<Row, Counts>
  const { queryKey, idOf } = source
  const list = hashKey(queryKey)
  const client = useQueryClient()
  const paused = usePaused()
  const onScreen = useRef<ReadonlySet<string | null>>(new Set())
  const readAt = useRef(new Map<string, number>())

  const current = (): List => client.getQueryData<List>(queryKey) ?? noTiles(list)
  const ageMs = ({ from }: Tile<Row>) => Date.now() - (readAt.current.get(`${list} ${from}`) ?? 0)
  const isVisible = ({ from }: Tile<Row>) => onScreen.current.has(from)
  const readWanted = (isWanted: (tile: Tile<Row>) => boolean, signal?: AbortSignal): Promise<List> =>
    readTiles<Row, Counts>({
      current,
      isWanted,
      idOf,
      read: async (tile) => {
        const part = await source.read(tile, signal)
        readAt.current.set(`${list} ${tile.from}`, Date.now())
        return part
      },
    })

  const poll = async (signal: AbortSignal): Promise<List> => {
    const isWanted = (tile: Tile<Row>) => tile.from === null || isVisible(tile) || isNew(tile)
    try {
      return await readWanted(isWanted, signal)
    } catch (error) {
      // Where the list went on may have been kept since another release; the start is always there.
      if (!(error instanceof ApiError) || error.code !== 'invalid_request' || current().tiles.length === 1) throw error
      client.setQueryData<List>(queryKey, noTiles(list))
      return readWanted(() => true, signal)
    }
  }

  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => poll(signal),
    initialData: () => savedTiles(list) as List | undefined,
    initialDataUpdatedAt: 0,
    // Equal rows are the same objects already.
    structuralSharing: false,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }: { state: QueryHealth & { data?: List | undefined } }) => {
      const { counts, tiles } = state.data ?? noTiles(list)
      const live = (counts?.active ?? 0) > 0 || tiles.some(({ rows }) => rows?.some(source.isLive))
      return pollMs({ live, settled: false, paused, liveMs: polling.get().liveMs, ...failingOf(state) })
    },
  })

  const fill = async (isWanted: (tile: Tile<Row>) => boolean): Promise<void> => {
    try {
      client.setQueryData<List>(queryKey, await readWanted(isWanted))
    } catch {
      // The poll meets the same failure, tells it, and tries again.
      void query.refetch()
    }
  }

  /** Loads the part after the last one. Twice at once is once: the list goes on nowhere until the part is there. */
  const goOn = () => {
    if (query.isPlaceholderData || current().next === null) return
    client.setQueryData<List>(queryKey, withNext(current()))
    void fill(isNew)
  }

  /** Tells which parts are on screen. */
  const show = (parts: ReadonlySet<string | null>) => {
    onScreen.current = parts
    const isDue = (tile: Tile<Row>) => isVisible(tile) && (tile.rows === null || (!paused && ageMs(tile) > staleMs))
    if (current().tiles.some(isDue)) void fill(isDue)
  }

  const last = query.data?.tiles.at(-1)
  return { query, goingOn: last !== undefined && last.from !== null && isNew(last), goOn, show }
}
