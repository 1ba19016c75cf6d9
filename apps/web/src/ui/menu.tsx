import { Ellipsis } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { buttonClass } from './button.tsx'

const itemClass =
  'flex h-8 select-none items-center gap-2.5 rounded-sm px-2.5 text-sm outline-none data-highlighted:bg-hover data-disabled:opacity-50'

/** The overflow menu of a row. Not modal: a modal one locks scrolling by writing style sheets, which the page's policy forbids. */
export const Menu = ({ label, children }: { label: string; children: ReactNode }) => (
  <DropdownMenu.Root modal={false}>
    <DropdownMenu.Trigger aria-label={label} className={buttonClass({ variant: 'quiet', size: 'icon' })}>
      <Ellipsis className="size-4" aria-hidden="true" />
    </DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        align="end"
        sideOffset={4}
        collisionPadding={8}
        className="appear z-40 min-w-48 rounded-lg border border-line bg-raised p-1 shadow-float"
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
)

/** One command of a menu. */
export const MenuItem = ({
  icon,
  children,
  onSelect,
  danger = false,
}: {
  icon: ReactNode
  children: ReactNode
  onSelect: () => void
  danger?: boolean
}) => (
  <DropdownMenu.Item onSelect={onSelect} className={`${itemClass} ${danger ? 'text-failed' : ''}`}>
    <span className="text-muted [&>svg]:size-4" aria-hidden="true">
      {icon}
    </span>
    {children}
  </DropdownMenu.Item>
)

/** A line between groups of commands. */
export const MenuLine = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />
