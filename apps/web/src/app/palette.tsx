import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Activity, Keyboard, LogOut, Moon, Pause, Plus, Sun, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { signOut } from '#features/accounts/sign-out.ts'
import { polling } from '#lib/polling.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { Kbd } from '#ui/kbd.tsx'
import { toggleActivity } from './activity/activity-popover.tsx'
import { destinations } from './navigation.tsx'
import { PaletteRecords } from './palette-records.tsx'
import { useGoToForm } from './shortcuts.ts'
import { useSingleKeys } from './single-keys.ts'
import { chooseTheme } from './theme.ts'

const Item = ({
  icon,
  children,
  keys = [],
  onSelect,
}: {
  icon: ReactNode
  children: string
  keys?: string[]
  onSelect: () => void
}) => (
  <Command.Item
    value={children}
    onSelect={onSelect}
    className="flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 data-[selected=true]:bg-hover [&>svg]:size-4 [&>svg]:text-muted"
  >
    {icon}
    <span className="flex-1">{children}</span>
    {(useSingleKeys() ? keys : []).map((key) => (
      <Kbd key={key}>{key}</Kbd>
    ))}
  </Command.Item>
)

/** Command palette: pages, commands, and the newest exports and jobs. */
export const Palette = ({ onClose, onKeys }: { onClose: () => void; onKeys: () => void }) => {
  const navigate = useNavigate()
  const goToForm = useGoToForm()
  const run = (action: () => unknown) => () => {
    onClose()
    // The dialog restores the focus when it closes.
    requestAnimationFrame(() => void action())
  }
  return (
    <Dialog open onClose={onClose} title="Find or do" bare>
      <Command label="Find or do" loop className="flex max-h-[60dvh] flex-col">
        <Command.Input
          placeholder="A page, a command, an export, a job"
          className="h-12 w-full shrink-0 border-b border-line bg-transparent px-4 text-lg outline-none"
        />
        <Command.List className="overflow-y-auto p-2 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted">
          <Command.Empty className="px-2.5 py-6 text-center text-sm text-muted">Nothing has this name.</Command.Empty>
          <Command.Group heading="Go to">
            {destinations.map(({ to, name, key, icon: Icon }) => (
              <Item key={to} icon={<Icon />} keys={['g', key]} onSelect={run(() => navigate({ to }))}>
                {name}
              </Item>
            ))}
          </Command.Group>
          <Command.Group heading="Do">
            <Item icon={<Plus />} keys={['n']} onSelect={run(goToForm)}>
              Start an export
            </Item>
            <Item icon={<Activity />} keys={['r']} onSelect={run(toggleActivity)}>
              Show what runs
            </Item>
            <Item icon={<Pause />} onSelect={run(() => polling.set({ paused: !polling.get().paused }))}>
              Pause or go on refreshing
            </Item>
            <Item icon={<Sun />} onSelect={run(() => chooseTheme('light'))}>
              Light theme
            </Item>
            <Item icon={<Moon />} onSelect={run(() => chooseTheme('dark'))}>
              Dark theme
            </Item>
            <Item icon={<UserRound />} onSelect={run(() => navigate({ to: '/settings/account' }))}>
              Your account
            </Item>
            <Item icon={<LogOut />} onSelect={run(signOut)}>
              Sign out
            </Item>
            <Item icon={<Keyboard />} keys={['?']} onSelect={run(onKeys)}>
              List the keys
            </Item>
          </Command.Group>
          <PaletteRecords onOpen={run} />
        </Command.List>
      </Command>
    </Dialog>
  )
}
