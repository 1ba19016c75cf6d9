import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { buttonClass, refusedProps } from './button.tsx'
import { toast } from './toast.ts'

const gapPx = 4
const edgePx = 8

/** Puts the menu beside its button, and closes it when that is no longer on the screen. */
const place = (menu: HTMLElement, trigger: HTMLElement) => {
  const at = trigger.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = menu
  const isOut = at.bottom < 0 || at.top > innerHeight
  if (isOut) return menu.hidePopover()
  const fitsBelow = at.bottom + gapPx + height + edgePx <= innerHeight
  menu.style.left = `${Math.max(edgePx, Math.min(at.right - width, innerWidth - width - edgePx))}px`
  menu.style.top = `${fitsBelow ? at.bottom + gapPx : Math.max(edgePx, at.top - gapPx - height)}px`
  menu.dataset['placed'] = ''
}

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
 * The overflow menu of a row, on the browser's own popover: top layer, Escape and a click outside come with it, no style is
 * written into the page, and it costs a twentieth of a menu library. A closed menu is its button and nothing else, because a list has
 * hundreds of them.
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
  const id = useId()
  const trigger = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)

  useEffect(() => {
    if (!open) return
    // A page also scrolls by itself, when something above a row comes or goes.
    const follow = () => {
      if (menu.current?.matches(':popover-open') && trigger.current) place(menu.current, trigger.current)
    }
    addEventListener('scroll', follow, { capture: true, passive: true })
    addEventListener('resize', follow)
    return () => {
      removeEventListener('scroll', follow, { capture: true })
      removeEventListener('resize', follow)
    }
  }, [open])

  const opened = () => {
    if (!menu.current || !trigger.current || !menu.current.matches(':popover-open')) return
    place(menu.current, trigger.current)
    listItems(menu.current)[0]?.focus()
  }

  return (
    <>
      <button
        ref={trigger}
        type="button"
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        // It must be there when the browser, after this, opens what the button belongs to.
        onClick={() => !open && flushSync(() => setOpen(true))}
        className={`${buttonClass({ variant: 'quiet', size: 'icon' })} dots shrink-0 ${className}`}
      />
      {open && (
        // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the focus is on its items
        <div
          ref={menu}
          id={id}
          popover="auto"
          role="menu"
          aria-label={label}
          onToggle={(event) => {
            // Only now: the browser gives the focus back from the item that had it, so the item must still be there.
            if (event.newState === 'closed') setOpen(false)
            else opened()
          }}
          onKeyDown={moveFocus}
          onClick={(event) => event.currentTarget.hidePopover()}
          className="invisible fixed inset-auto m-0 min-w-48 rounded-lg border border-line bg-raised p-1 text-text shadow-float data-placed:visible"
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

/** One command of a menu. A `refused` one can be reached, and tells why it may not be chosen. */
export const MenuItem = ({ icon, children, onSelect, danger = false, refused = null }: MenuItemProps) => (
  <button
    type="button"
    role="menuitem"
    tabIndex={-1}
    {...refusedProps(refused)}
    aria-disabled={refused !== null || undefined}
    onClick={refused === null ? onSelect : () => toast(refused)}
    className={`flex h-8 w-full items-center gap-2.5 rounded-sm px-2.5 text-left text-sm whitespace-nowrap hover:bg-hover focus:bg-hover focus-visible:outline-offset-[-2px] data-refused:cursor-not-allowed data-refused:text-muted ${danger ? 'text-failed' : ''}`}
  >
    <span className={danger ? '[&>svg]:size-4' : 'text-muted [&>svg]:size-4'} aria-hidden="true">
      {icon}
    </span>
    {children}
  </button>
)

/** A line between groups of commands. */
export const MenuLine = () => <hr className="my-1 border-line" />
