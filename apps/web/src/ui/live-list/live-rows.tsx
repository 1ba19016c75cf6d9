import {
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
  type FocusEvent,
  type RefObject,
} from 'react'
import { formatPlural } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useMaySelect } from '#ui/selection/select-box.tsx'
import type { Selection } from '#ui/selection/selection.ts'
import type { ListCounts, MatchCount } from './live-pages.ts'
import { Rows } from './rows.tsx'
import { listPlaces, useStableRows } from './stable-rows.ts'
import type { useLiveList } from './use-live-list.ts'
import { useScrollPlace } from './use-scroll-place.ts'

/**
 * `isHolding` while the user reads the list: the pointer or focus is in it, or its start is out of view. Spread `hold` on the list and
 * put `start` at its top.
 */
const useHoldWhileReading = (list: RefObject<HTMLElement | null>, start: RefObject<HTMLElement | null>) => {
  const [pointer, setPointer] = useState(false)
  const [focus, setFocus] = useState(false)
  const [past, setPast] = useState(false)

  useEffect(() => {
    if (!start.current) return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry) setPast(!entry.isIntersecting && entry.boundingClientRect.top < 0)
    })
    observer.observe(start.current)
    return () => observer.disconnect()
  }, [start])

  useEffect(() => {
    if (!focus) return
    // The browser fires no event when a focused button is removed with its row.
    const check = () => setFocus(list.current?.contains(document.activeElement) ?? false)
    for (const sign of ['pointermove', 'keydown']) addEventListener(sign, check, { passive: true })
    return () => {
      for (const sign of ['pointermove', 'keydown']) removeEventListener(sign, check)
    }
  }, [focus, list])

  return {
    isHolding: pointer || focus || past,
    hold: {
      // A closing dialog fires pointerenter without a pointer movement.
      onPointerMove: () => setPointer(true),
      onPointerLeave: () => setPointer(false),
      onFocus: () => setFocus(true),
      onBlur: (event: FocusEvent<HTMLElement>) => setFocus(event.currentTarget.contains(event.relatedTarget)),
    },
  }
}

export type Counts = ListCounts & {
  attention: number
  groups: Record<string, number>
  /** Counts within text, field and date filters. Null if none is set. */
  filtered?: { all: MatchCount; attention: MatchCount; groups: Record<string, MatchCount> } | null | undefined
  removed?: MatchCount | null | undefined
}
export type LiveList<Row> = ReturnType<typeof useLiveList<Row, Counts>>

export type ListLook<Row> = {
  heading: string
  /** Noun for one record, such as `export`. */
  one: string
  /** Words before the name of a record, such as `export of`. */
  record: string
  /** State of an active record, such as `running`. */
  active: string
  getId: (row: Row) => string
  /** Heads of the columns. */
  head: ReactNode
  render: (row: Row) => ReactNode
  /** Renders a removed row, which may load its code later. */
  renderRemoved: (row: Row) => ReactNode
  formatName: (row: Row) => string
  /** Words for screen readers about a change, as for `useAnnouncedChanges`. */
  describeChange: (before: Row | undefined, after: Row, sinceMs: number) => string | null
  /** Actions on the selected rows; loaded with the first selection. */
  bulk: ComponentType<{ selection: Selection }>
}

type LiveRowsProps<Row> = {
  list: LiveList<Row>
  look: ListLook<Row>
  render: (row: Row) => ReactNode
  setSize: number
  label: string
  /** Called with the loaded rows, in the order on screen, when they changed. */
  onShown: (rows: readonly { id: string; row: Row }[]) => void
}

/** The next page loads when this many rows remain. */
const ahead = 25

/**
 * Rows of a list. Rows stay in place while the user reads them. Loads more near the end; restores the scroll position
 * after a reload.
 */
export const LiveRows = <Row,>({
  list: { data, isPlaceholder, goOn, show },
  look: { getId, formatName, one, head },
  render,
  setSize,
  label,
  onShown,
}: LiveRowsProps<Row>) => {
  const fresh = useMemo(() => listPlaces(data, getId), [data, getId])
  const listRef = useRef<HTMLDivElement>(null)
  const start = useRef<HTMLDivElement>(null)
  const { isHolding, hold } = useHoldWhileReading(listRef, start)
  const { places, waiting, release } = useStableRows(data.list, fresh, isHolding)
  // React paints keystrokes before the new rows.
  const deferred = useDeferredValue(places)
  useScrollPlace(data)
  const tellShown = useEffectEvent(() =>
    onShown(deferred.flatMap(({ id, row }) => (row === null ? [] : [{ id, row }]))),
  )
  useEffect(() => tellShown(), [deferred])
  const onView = (first: number, last: number) => {
    show(new Set(deferred.slice(first, last + 1).map(({ part }) => (part === '' ? null : part))))
    if (last >= deferred.length - ahead) goOn()
  }
  return (
    <div className={`relative transition-opacity ${isPlaceholder ? 'opacity-60' : ''}`} aria-busy={isPlaceholder}>
      <div ref={start} className={`@container ${useMaySelect() ? '*:pl-[2.3125rem]' : ''}`}>
        {head}
      </div>
      {waiting > 0 && (
        <div className="sticky top-15 z-10 flex h-0 justify-center low:top-3 lg:top-3">
          <Button
            className="-mt-4 shadow-float"
            onClick={() => {
              release()
              if ((start.current?.getBoundingClientRect().top ?? 0) < 0)
                start.current?.scrollIntoView({ block: 'center' })
            }}
          >
            {`Show ${formatPlural(waiting, `new ${one}`)}`}
          </Button>
        </div>
      )}
      <Rows
        label={label}
        places={deferred}
        setSize={setSize}
        listRef={listRef}
        onView={onView}
        render={render}
        describeRemoved={(last) => `${formatName(last)} is no longer on this list`}
        {...hold}
      />
    </div>
  )
}
