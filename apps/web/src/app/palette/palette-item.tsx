import { Command } from 'cmdk'
import type { ReactNode } from 'react'
import { useSingleKeys } from '#app/keys/shortcuts.ts'
import { Kbd } from '#ui/buttons/kbd.tsx'
import { toast } from '#ui/messages/toast.ts'

type PaletteItemProps = {
  id: string
  icon: ReactNode
  children: ReactNode
  keys?: readonly string[]
  refused?: string | null
  onSelect: () => void
}

export const PaletteItem = ({ id, icon, children, keys = [], refused = null, onSelect }: PaletteItemProps) => (
  <Command.Item
    value={id}
    onSelect={refused === null ? onSelect : () => toast(refused)}
    className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 data-[selected=true]:bg-hover data-[selected=true]:forced-colors:outline-2 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
  >
    {icon}
    <span className={`min-w-0 flex-1 ${refused === null ? '' : 'text-muted'}`}>
      <span className="flex min-w-0 items-center gap-2">{children}</span>
      {refused !== null && <span className="block text-xs">{refused}</span>}
    </span>
    {(useSingleKeys() ? keys : []).map((key) => (
      <Kbd key={key}>{key}</Kbd>
    ))}
  </Command.Item>
)
