import { memo, type ReactNode, type Ref } from 'react'
import type { Place } from './stable-rows.ts'

/** Rows per block; a block costs one DOM change. */
export const blockRows = 3

export type RowsLook<Row> = {
  /** Must keep its identity: a new function renders every row again. */
  render: (row: Row) => ReactNode
  /** Text in place of a removed row. */
  describeRemoved: (last: Row) => string
}

const WaitingRow = () => (
  <div
    className="flex min-h-16 flex-col justify-center gap-2 px-4 @min-[35rem]:min-h-12 @min-[35rem]:flex-row @min-[35rem]:items-center @min-[35rem]:justify-start"
    aria-hidden="true"
  >
    <div className="h-4 w-40 rounded-sm bg-idle-soft" />
    <div className="h-3.5 w-28 rounded-sm bg-idle-soft" />
  </div>
)

type RowPlaceProps<Row> = RowsLook<Row> & { place: Place<Row>; index: number; setSize: number }

const RowPlace = <Row,>({ place: { row, last }, index, setSize, render, describeRemoved }: RowPlaceProps<Row>) => (
  // Not an `li`, because blocks stand between the list and its rows.
  <div
    role="listitem"
    aria-setsize={setSize}
    aria-posinset={index + 1}
    data-index={index}
    className={`relative ${index > 0 ? 'border-t border-line' : ''} ${row === null && last !== null ? 'opacity-60' : ''}`}
  >
    {row !== null && render(row)}
    {row === null && last !== null && (
      <p className="flex min-h-16 items-center px-4 text-sm text-muted @min-[35rem]:min-h-12">
        {describeRemoved(last)}
      </p>
    )}
    {row === null && last === null && <WaitingRow />}
  </div>
)

type BlockProps<Row> = RowsLook<Row> & {
  places: readonly Place<Row>[]
  block: number
  /** Pixels below the start of the list; null: below the block before. */
  top: number | null
  setSize: number
  measure: Ref<HTMLDivElement> | undefined
}

export const RowBlock = memo(({ places, block, top, setSize, measure, ...look }: BlockProps<unknown>) => {
  const first = block * blockRows
  return (
    <div
      ref={measure}
      role="presentation"
      data-block={block}
      className={`@container [contain:layout_style] ${top === null ? '' : 'absolute inset-x-0'}`}
      style={top === null ? undefined : { top }}
    >
      {places.slice(first, first + blockRows).map((place, offset) => (
        <RowPlace key={place.id} place={place} index={first + offset} setSize={setSize} {...look} />
      ))}
    </div>
  )
})
