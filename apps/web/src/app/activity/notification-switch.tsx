import { useSyncExternalStore } from 'react'
import { Switch } from '#ui/forms/switch.tsx'
import { notifications } from './notifications.ts'

const hints = {
  on: 'Notifies you when an export or job ends, while a Docket tab is open.',
  off: 'Notifies you when an export or job ends. Your browser asks for permission once.',
  blocked: 'Your browser blocks notifications from Docket. Allow them in its site settings, then turn them on here.',
  impossible: 'Notifications aren’t available here. They need https, or Docket on this computer.',
} as const

export const NotificationSwitch = () => {
  const state = useSyncExternalStore(notifications.subscribe, notifications.get)
  return (
    <Switch
      label="Desktop notifications"
      hint={hints[state]}
      {...(state === 'blocked' && { tone: 'attention' })}
      checked={state === 'on'}
      disabled={state === 'impossible'}
      onChange={(on) => (on ? void notifications.turnOn() : notifications.turnOff())}
    />
  )
}
