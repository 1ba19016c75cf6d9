import { Suspense, useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { buttonClass } from '#ui/buttons/button.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { popoverClass, usePlacedPopover } from './use-placed-popover.ts'

const listItems = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')]

const focusMoves: Record<string, (index: number, count: number) => number> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

const moveFocus = (event: KeyboardEvent<HTMLElement>) => {
  const menu = event.currentTarget
  if (event.key === 'Tab') return menu.hidePopover()
  const items = listItems(menu)
  const current = items.findIndex((item) => item === document.activeElement)
  const startsWithKey = (item: HTMLElement) => item.textContent.trim().toLowerCase().startsWith(event.key.toLowerCase())
  const target = focusMoves[event.key]
    ? items[focusMoves[event.key]!(current, items.length)]
    : event.key.length === 1 && [...items.slice(current + 1), ...items].find(startsWithKey)
  if (!target) return
  event.preventDefault()
  target.focus()
}

/** Focuses the first item of a menu that was open before its items were loaded. */
const FocusFirstItem = () => {
  const end = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const menu = end.current?.closest<HTMLElement>('[role="menu"]')
    if (menu?.matches('[data-placed]')) listItems(menu)[0]?.focus()
  }, [])
  return <span ref={end} hidden />
}

/**
 * Overflow menu of a row, on the native popover. A closed menu renders only its button, because lists have hundreds. The items may be
 * lazy.
 */
export const Menu = ({
  label,
  icon,
  className = '',
  children,
}: {
  label: string
  /** Shown on the button instead of three dots. */
  icon?: ReactNode
  className?: string
  children: ReactNode
}) => {
  const { open, triggerProps, popoverProps } = usePlacedPopover((menu) => listItems(menu)[0]?.focus())
  return (
    <>
      <button
        {...triggerProps}
        aria-haspopup="menu"
        aria-label={label}
        className={`${icon ? '' : `${buttonClass({ variant: 'quiet', size: 'icon' })} dots`} shrink-0 ${className}`}
      >
        {icon}
      </button>
      {open && (
        // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the focus is on its items
        <div
          {...popoverProps}
          role="menu"
          aria-label={label}
          onKeyDown={moveFocus}
          onClick={(event) => event.currentTarget.hidePopover()}
          className={`${popoverClass} min-w-48 p-1`}
        >
          <Suspense fallback={<Skeleton className="m-2 h-20" />}>
            {children}
            <FocusFirstItem />
          </Suspense>
        </div>
      )}
    </>
  )
}
