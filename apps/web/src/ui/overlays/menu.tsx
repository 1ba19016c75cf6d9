import { Suspense, useEffect, useEffectEvent, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { buttonClass, refusedProps } from '#ui/buttons/button.tsx'
import { Skeleton } from '#ui/layout/page.tsx'
import { toast } from '#ui/messages/toast.ts'
import { popoverClass, usePlacedPopover } from './use-placed-popover.ts'

const listItems = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')]

const focusMoves: Record<string, (index: number, count: number) => number> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Moves the focus, or chooses the focused item. True when the key had an effect. */
const pressKey = (menu: HTMLElement, key: string): boolean => {
  const items = listItems(menu)
  const current = items.findIndex((item) => item === document.activeElement)
  const startsWithKey = (item: HTMLElement) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase())
  const target = focusMoves[key]
    ? items[focusMoves[key](current, items.length)]
    : key.length === 1 && [...items.slice(current + 1), ...items].find(startsWithKey)
  if (target) target.focus()
  return Boolean(target)
}

const moveFocus = (event: KeyboardEvent<HTMLElement>) => {
  if (event.key === 'Tab') return event.currentTarget.hidePopover()
  if (pressKey(event.currentTarget, event.key)) event.preventDefault()
}

/** Calls `onLoaded` with a menu that was open before its items were loaded. */
const LoadedItems = ({ onLoaded }: { onLoaded: (menu: HTMLElement) => void }) => {
  const end = useRef<HTMLSpanElement>(null)
  const notify = useEffectEvent(onLoaded)
  useEffect(() => {
    const menu = end.current?.closest<HTMLElement>('[role="menu"]')
    if (menu?.matches('[data-placed]')) notify(menu)
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
  // Pressed before an item could have the focus.
  const earlyKeys = useRef<string[]>([])
  const focusItem = (menu: HTMLElement) => {
    const first = listItems(menu)[0]
    if (!first) return
    first.focus()
    for (const key of earlyKeys.current.splice(0)) {
      // What it opens gets no key that was meant for the menu.
      if (key === 'Enter') return (document.activeElement as HTMLElement).click()
      pressKey(menu, key)
    }
  }
  const { open, hide, triggerProps, popoverProps } = usePlacedPopover(focusItem)
  useEffect(() => () => void earlyKeys.current.splice(0), [open])
  return (
    <>
      <button
        {...triggerProps}
        onKeyDown={(event) => {
          if (!open) return
          if (event.key === 'Tab') return hide()
          // It would close the menu.
          if (event.key === 'Enter') event.preventDefault()
          if (!event.repeat) earlyKeys.current.push(event.key)
        }}
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
            <LoadedItems onLoaded={focusItem} />
          </Suspense>
        </div>
      )}
    </>
  )
}

type MenuItemProps = {
  icon: ReactNode
  children: ReactNode
  onSelect: () => void
  danger?: boolean
  /** Makes it one of several choices. */
  checked?: boolean
  refused?: string | null
}

/**
 * Command of a menu. A `refused` one stays focusable, with the reason below it; of several in a row only the first prints it, and the
 * others when they are pressed.
 */
export const MenuItem = ({ icon, children, onSelect, danger = false, checked, refused = null }: MenuItemProps) => (
  <button
    type="button"
    role={checked === undefined ? 'menuitem' : 'menuitemradio'}
    aria-checked={checked}
    tabIndex={-1}
    {...refusedProps(refused)}
    onClick={refused === null ? onSelect : () => toast(refused)}
    className={`flex min-h-8 w-full items-center gap-2.5 rounded-sm px-2.5 py-1.5 text-left text-sm whitespace-nowrap hover:bg-hover focus:bg-hover aria-checked:font-medium aria-checked:[&>span:first-child]:text-accent focus-visible:outline-offset-[-2px] data-refused:cursor-not-allowed data-refused:text-muted [[data-refused]+&_small]:hidden ${danger ? 'text-failed' : ''}`}
  >
    <span className={danger ? '[&>svg]:size-4' : 'text-muted [&>svg]:size-4'} aria-hidden="true">
      {icon}
    </span>
    <span>
      {children}
      {refused !== null && (
        <small dir="auto" aria-hidden="true" className="block max-w-60 text-xs whitespace-normal">
          {refused}
        </small>
      )}
    </span>
  </button>
)

export const MenuLine = () => <hr className="my-1 border-line" />
