import type { KeyboardEvent, ReactNode } from 'react'
import { buttonClass, refusedProps } from '#ui/button.tsx'
import { toast } from '#ui/toast.ts'
import { popoverClass, usePlacedPopover } from './use-placed-popover.ts'

const listItems = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')]

const moves: Record<string, (index: number, count: number) => number> = {
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
  const target = moves[event.key]
    ? items[moves[event.key]!(current, items.length)]
    : event.key.length === 1 && [...items.slice(current + 1), ...items].find(startsWithKey)
  if (!target) return
  event.preventDefault()
  target.focus()
}

/**
 * Overflow menu of a row, on the native popover. A closed menu renders only its button, because lists have hundreds.
 */
export const Menu = ({
  label,
  className = '',
  children,
}: {
  label: string
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
        className={`${buttonClass({ variant: 'quiet', size: 'icon' })} dots shrink-0 ${className}`}
      />
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
          {children}
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
  refused?: string | null
}

/**
 * Command of a menu. A `refused` one stays focusable, with the reason below it; of several in a row only the first prints it, and the
 * others when they are pressed.
 */
export const MenuItem = ({ icon, children, onSelect, danger = false, refused = null }: MenuItemProps) => (
  <button
    type="button"
    role="menuitem"
    tabIndex={-1}
    {...refusedProps(refused)}
    aria-disabled={refused !== null || undefined}
    onClick={refused === null ? onSelect : () => toast(refused)}
    className={`flex min-h-8 w-full items-center gap-2.5 rounded-sm px-2.5 py-1.5 text-left text-sm whitespace-nowrap hover:bg-hover focus:bg-hover focus-visible:outline-offset-[-2px] data-refused:cursor-not-allowed data-refused:text-muted [[data-refused]+&_small]:hidden ${danger ? 'text-failed' : ''}`}
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

/** A line between groups of commands. */
export const MenuLine = () => <hr className="my-1 border-line" />
