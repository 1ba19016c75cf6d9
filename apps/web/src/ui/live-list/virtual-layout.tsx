import { useWindowVirtualizer, type Range } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { blockRows } from './row-block.tsx'

/** Height of most rows by the width of the list, as `list-row` in `main.css`. Pixels. */
const findRowPx = (widthPx: number) => (widthPx >= 560 ? 49 : 65)

/** Top of the list in the document, and the height of its rows. Pixels. */
const useListFrame = (list: { current: HTMLElement | null }) => {
  const [frame, setFrame] = useState({ top: 0, rowPx: findRowPx(Infinity) })
  useLayoutEffect(() => {
    const measure = () => {
      if (!list.current) return
      const { top, width } = list.current.getBoundingClientRect()
      const next = { top: Math.round(top + scrollY), rowPx: findRowPx(width) }
      setFrame((before) => (before.top === next.top && before.rowPx === next.rowPx ? before : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  return frame
}

/** Blocks in the page, each `top` pixels below the start of the list. Of them `first` to `last` are on screen. */
export type Layout = {
  heightPx: number
  blocks: readonly { block: number; top: number }[]
  first: number
  last: number
  measure: (element: HTMLDivElement | null) => void
}

type VirtualLayoutProps = {
  rows: number
  /** Index of the row with the focus; -1 without one. */
  focused: number
  listRef: { current: HTMLElement | null }
  onLayout: (layout: Layout) => void
}

/**
 * Chooses the blocks on screen, their neighbours, and always that of the row with the focus. Renders nothing, so that the rows that are
 * there before it is loaded stay the same elements.
 */
export const VirtualLayout = ({ rows, focused, listRef, onLayout }: VirtualLayoutProps) => {
  const { top, rowPx } = useListFrame(listRef)

  const withFocused = (range: Range): number[] => {
    // Renders blocks ahead in the scroll direction; blocks behind stay until they leave the screen.
    const back = virtualizer.scrollDirection === 'backward'
    const first = Math.max(0, range.startIndex - (back ? 1 : 0))
    const last = Math.min(range.count - 1, range.endIndex + (back ? 0 : 1))
    const wanted = Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
    // With the rows before and after it, so that Tab goes on from there.
    for (const index of focused < 0 ? [] : [focused - 1, focused, focused + 1]) {
      const block = Math.floor(index / blockRows)
      if (index >= 0 && block < range.count && !wanted.includes(block)) wanted.push(block)
    }
    return wanted.toSorted((a, b) => a - b)
  }

  // oxlint-disable-next-line react/incompatible-library -- nothing of it is memoised: this component renders when it says so
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: Math.ceil(rows / blockRows),
    estimateSize: (block) => Math.min(blockRows, rows - block * blockRows) * rowPx,
    scrollMargin: top,
    overscan: 0,
    indexAttribute: 'data-block',
    rangeExtractor: withFocused,
  })

  const before = useRef(rowPx)
  useLayoutEffect(() => {
    // Blocks that are not in the page have the heights of the other width.
    if (before.current !== rowPx) virtualizer.measure()
    before.current = rowPx
  }, [rowPx, virtualizer])

  useLayoutEffect(() => {
    const { startIndex, endIndex } = virtualizer.range ?? { startIndex: 0, endIndex: 0 }
    onLayout({
      heightPx: virtualizer.getTotalSize(),
      blocks: virtualizer.getVirtualItems().map(({ index, start }) => ({ block: index, top: start - top })),
      first: startIndex,
      last: endIndex,
      measure: virtualizer.measureElement,
    })
  })
  return null
}
