import { X } from 'lucide-react'
import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { mayChangeRecord } from './select-box.tsx'
import type { Selection } from './selection.ts'
import type { useBulk } from './use-bulk.ts'

/** Moves a focus that was in the bar to the first row on screen, else to the heading. Rows may go for another second. */
const focusListAfterBar = (list: HTMLElement | null, framesLeft = 60, focused: HTMLElement | null = null): void => {
  if (!list?.isConnected) return
  let target = focused
  if (document.activeElement === document.body && !focused?.isConnected) {
    const boxes = [...list.querySelectorAll<HTMLElement>('.select-box')]
    target = boxes.find((box) => box.getBoundingClientRect().top >= 0) ?? list.querySelector('h2')
    if (target?.matches('h2')) target.tabIndex = -1
    target?.focus({ preventScroll: true })
  }
  if (framesLeft > 0) requestAnimationFrame(() => focusListAfterBar(list, framesLeft - 1, target))
}

type SelectionBarProps = {
  selection: Selection
  bulk: Pick<ReturnType<typeof useBulk>, 'shown' | 'items' | 'running' | 'failures'>
  one: string
  children: ReactNode
}

export const SelectionBar = ({ selection, bulk, one, children }: SelectionBarProps) => {
  const { shown, items, running, failures } = bulk
  const bar = useRef<HTMLDivElement>(null)
  const open = shown.filter(({ row }) => mayChangeRecord(row))
  const shownFailures = failures.filter(({ id }) => selection.has(id))
  // The bar disappears with the last selected row, and takes the focus with it.
  useLayoutEffect(() => {
    const element = bar.current
    const list = element?.closest('section') ?? null
    return () => {
      if (element?.contains(document.activeElement)) requestAnimationFrame(() => focusListAfterBar(list))
    }
  }, [])
  return (
    <div
      ref={bar}
      role="group"
      aria-label={`Selected ${one}s`}
      className="sticky bottom-18 z-10 mx-auto mt-4 w-fit max-w-full rounded-lg border border-line-strong bg-raised p-2 shadow-float lg:bottom-3 [@media(max-height:28rem)]:static"
    >
      {shownFailures.length > 0 && (
        <ul className="mb-2 max-h-40 overflow-y-auto px-2 pt-1 text-sm">
          {shownFailures.map(({ id, name, reason }) => (
            <li key={id} className="wrap-anywhere">
              <bdi className="font-medium">{name}</bdi> <span className="text-failed">{reason}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-2 max-sm:gap-x-0">
        <p role="status" className="px-2 text-sm font-medium">
          {running === null ? `${formatCount(items.length)} selected` : `${formatPlural(running.left, one)} to go`}
        </p>
        {items.length < open.length && (
          <Button variant="quiet" onClick={() => selection.select(open.map(({ id }) => id))}>
            Select all {formatCount(open.length)} loaded
          </Button>
        )}
        <div className="flex flex-wrap items-center gap-2 max-sm:order-1 max-sm:basis-full max-sm:*:flex-1">
          {children}
        </div>
        <Button icon={X} variant="quiet" className="max-sm:ml-auto max-sm:px-2" onClick={selection.clear}>
          <span className="max-sm:sr-only">Clear</span>
        </Button>
      </div>
    </div>
  )
}
