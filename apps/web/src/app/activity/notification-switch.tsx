import { useSyncExternalStore } from 'react'
import { Switch } from '#ui/forms/switch.tsx'
import { notifications } from './notifications.ts'

const hints = {
  on: 'This browser tells you when an export or job ends, as long as a tab of Docket is open.',
  off: 'Tells you when an export or job ends. The browser asks you once.',
  blocked:
    'The browser blocks notifications of this page. Allow them in its settings for this page, beside the address, then turn them on here.',
  impossible:
    'Not possible here: the browser has no notifications for this page. It needs https, or Docket on this machine.',
} as const

/** Turns notifications of endings on and off, and explains why they are unavailable. */
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
