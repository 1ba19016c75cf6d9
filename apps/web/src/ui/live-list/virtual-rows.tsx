import { useWindowVirtualizer, type Range } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ComponentProps } from 'react'
import type { Place } from './stable-rows.ts'
import { blockRows, RowBlock, type RowsLook } from './row-block.tsx'

/** Width from which a row is one line. Pixels, as `@4xl` in the rows. */
const wideFrom = 896
const rowPx = (isWide: boolean) => (isWide ? 73 : 121)

/** Lists up to this length are rendered whole, so that the browser's own search finds every row. */
const maxWholeRows = 18

/** Top of the list in the document, in pixels, and whether it is wide. */
const useFrame = (list: { current: HTMLElement | null }) => {
  const [frame, setFrame] = useState({ top: 0, isWide: true })
  useLayoutEffect(() => {
    const measure = () => {
      if (!list.current) return
      const { top, width } = list.current.getBoundingClientRect()
      const next = { top: Math.round(top + scrollY), isWide: width >= wideFrom }
      setFrame((before) => (before.top === next.top && before.isWide === next.isWide ? before : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  return frame
}

const findRowIndex = (element: Element | null) =>
  Number(element?.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1)

type VirtualRowsProps<Row> = RowsLook<Row> & {
  label: string
  places: readonly Place<Row>[]
  /** Total number of rows in the list; -1 when unknown. */
  setSize: number
  listRef: { current: HTMLDivElement | null }
  /** Receives the first and last place on screen when these or the places change. */
  onView: (first: number, last: number) => void
} & Pick<ComponentProps<'div'>, 'onPointerMove' | 'onPointerLeave' | 'onFocus' | 'onBlur'>

/**
 * Virtualized rows: renders those on screen and their neighbours, and always the row with the focus.
 */
export const VirtualRows = <Row,>(props: VirtualRowsProps<Row>) => {
  const { label, places, setSize, listRef, onView, render, gone, onFocus, onBlur, ...hold } = props
  const { top, isWide } = useFrame(listRef)
  const [focused, setFocused] = useState(-1)
  const blocks = Math.ceil(places.length / blockRows)

  const withFocused = (range: Range): number[] => {
    // Renders one block ahead in the direction of the scroll. The block behind stays rendered until it leaves the
    // screen.
    const back = virtualizer.scrollDirection === 'backward'
    const isShort = places.length <= maxWholeRows
    const first = isShort ? 0 : Math.max(0, range.startIndex - (back ? 1 : 0))
    const last = isShort ? range.count - 1 : Math.min(range.count - 1, range.endIndex + (back ? 0 : 1))
    const wanted = Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
    // Also renders the rows around the focused one, so that Tab can move there.
    for (const index of focused < 0 ? [] : [focused - 1, focused, focused + 1]) {
      const block = Math.floor(index / blockRows)
      if (index >= 0 && block < range.count && !wanted.includes(block)) wanted.push(block)
    }
    return wanted.toSorted((a, b) => a - b)
  }

  // oxlint-disable-next-line react/incompatible-library -- nothing of it is memoised: this component renders when it says so
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: blocks,
    estimateSize: (block) => Math.min(blockRows, places.length - block * blockRows) * rowPx(isWide),
    scrollMargin: top,
    overscan: 0,
    indexAttribute: 'data-block',
    rangeExtractor: withFocused,
  })

  const before = useRef(isWide)
  useLayoutEffect(() => {
    // Blocks outside the document still have the heights of the previous width.
    if (before.current !== isWide) virtualizer.measure()
    before.current = isWide
  }, [isWide, virtualizer])

  const { startIndex, endIndex } = virtualizer.range ?? { startIndex: 0, endIndex: 0 }
  const viewed = useEffectEvent(onView)
  useEffect(() => {
    viewed(startIndex * blockRows, Math.min(places.length, (endIndex + 1) * blockRows) - 1)
  }, [startIndex, endIndex, places])

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only notices who reads it
    <div
      ref={listRef}
      role="list"
      aria-label={label}
      className="panel relative"
      style={{ height: virtualizer.getTotalSize() + 2 }}
      onFocus={(event) => {
        setFocused(findRowIndex(event.target))
        onFocus?.(event)
      }}
      onBlur={(event) => {
        setFocused(findRowIndex(event.relatedTarget))
        onBlur?.(event)
      }}
      {...hold}
    >
      {virtualizer.getVirtualItems().map(({ index, start }) => (
        <RowBlock
          key={index}
          block={index}
          top={start - top}
          places={places}
          setSize={setSize}
          measure={virtualizer.measureElement}
          render={render as RowsLook<unknown>['render']}
          gone={gone as RowsLook<unknown>['gone']}
        />
      ))}
    </div>
  )
}
