import { lazy, Suspense, useDeferredValue, useEffect, useEffectEvent, useState, type ComponentProps } from 'react'
import { blockRows, RowBlock, type RowsLook } from './row-block.tsx'
import type { Place } from './stable-rows.ts'
import type { Layout } from './virtual-layout.tsx'

const VirtualLayout = lazy(() => import('./virtual-layout.tsx').then((module) => ({ default: module.VirtualLayout })))

/** Lists up to this length are rendered whole, so that the browser's search finds every word. */
const maxWholeRows = 18
/** At least the height of a row, so that the page is never too short for the place to scroll back to. Pixels. */
const maxRowPx = 65

const isSameLayout = (a: Layout | null, b: Layout) => JSON.stringify(a) === JSON.stringify(b)

const findRowIndex = (element: Element | null) =>
  Number(element?.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1)

type RowsProps<Row> = RowsLook<Row> & {
  label: string
  places: readonly Place<Row>[]
  setSize: number
  listRef: { current: HTMLDivElement | null }
  /** Called with the first and the last place on screen when these or the places changed. */
  onView: (first: number, last: number) => void
} & Pick<ComponentProps<'div'>, 'onPointerMove' | 'onPointerLeave' | 'onFocus' | 'onBlur'>

/** Rows of a short list; of a long one those that `VirtualLayout` chooses, and the first ones until it is loaded. */
export const Rows = <Row,>(props: RowsProps<Row>) => {
  const { label, places, setSize, listRef, onView, render, describeRemoved, onFocus, onBlur, ...hold } = props
  const [focused, setFocused] = useState(-1)
  const [virtual, setVirtual] = useState<Layout | null>(null)
  const isLong = places.length > maxWholeRows
  // The first rows render before the script for the rest has loaded.
  const isVirtual = useDeferredValue(isLong, false)
  const layout = isLong ? virtual : null
  // The first paint of a long list has a few rows; it is as high as with all.
  const atFirst = useDeferredValue(maxWholeRows, isLong ? 2 * blockRows : maxWholeRows)
  const firstBlocks = Math.ceil(Math.min(places.length, atFirst) / blockRows)
  const blocks = layout?.blocks ?? Array.from({ length: firstBlocks }, (_, block) => ({ block, top: null }))

  const first = (layout?.first ?? 0) * blockRows
  const last = Math.min(places.length, ((layout?.last ?? firstBlocks - 1) + 1) * blockRows) - 1
  const viewed = useEffectEvent(onView)
  useEffect(() => {
    viewed(first, last)
  }, [first, last, places])

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only notices who reads it */}
      <div
        ref={listRef}
        role="list"
        aria-label={label}
        className="panel relative"
        style={layout ? { height: layout.heightPx + 2 } : { minHeight: isLong ? places.length * maxRowPx : undefined }}
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
        {blocks.map(({ block, top }) => (
          <RowBlock
            key={block}
            block={block}
            top={top}
            places={places}
            setSize={setSize}
            measure={layout?.measure}
            render={render as RowsLook<unknown>['render']}
            describeRemoved={describeRemoved as RowsLook<unknown>['describeRemoved']}
          />
        ))}
      </div>
      {isVirtual && (
        <Suspense>
          <VirtualLayout
            rows={places.length}
            focused={focused}
            listRef={listRef}
            onLayout={(next) => setVirtual((before) => (isSameLayout(before, next) ? before : next))}
          />
        </Suspense>
      )}
    </>
  )
}
