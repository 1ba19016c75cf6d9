import type { ReactNode } from 'react'
import { NotificationSwitch } from '#app/activity/notification-switch.tsx'
import { SingleKeysSwitch } from '#app/keys/single-keys-switch.tsx'
import { ThemeSwitch } from '#app/theme/theme-switch.tsx'
import { Panel } from '#ui/layout/panel.tsx'

const Choice = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-x-5 gap-y-1 sm:grid sm:grid-cols-[6.5rem_1fr] sm:items-baseline">
    <span className="text-muted">{name}</span>
    <div className="min-w-0">{children}</div>
  </div>
)

export const ThisBrowser = () => (
  <Panel title="This browser">
    <div className="space-y-3 text-sm">
      <Choice name="Theme">
        <ThemeSwitch />
      </Choice>
      <Choice name="Keyboard">
        <SingleKeysSwitch />
      </Choice>
      <Choice name="Notifications">
        <NotificationSwitch />
      </Choice>
    </div>
  </Panel>
)
