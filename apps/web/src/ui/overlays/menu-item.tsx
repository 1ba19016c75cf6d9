import type { ReactNode } from 'react'
import { refusedProps } from '#ui/buttons/button.tsx'
import { toast } from '#ui/messages/toast.ts'

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
    aria-disabled={refused !== null || undefined}
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
