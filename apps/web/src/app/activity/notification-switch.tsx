import { useId, useSyncExternalStore } from 'react'
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
  const id = useId()
  const isOn = state === 'on'
  return (
    <div className="text-sm">
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-describedby={id}
        disabled={state === 'impossible'}
        onClick={() => (isOn ? notifications.turnOff() : void notifications.turnOn())}
        className="inline-flex min-h-6 items-center gap-2.5 font-medium disabled:cursor-not-allowed disabled:text-muted"
      >
        <span
          aria-hidden="true"
          className={`flex h-5 w-9 shrink-0 items-center rounded-full border p-0.5 transition-colors ${isOn ? 'border-accent bg-accent' : 'border-line-strong bg-sunken'}`}
        >
          <span
            className={`size-3.5 rounded-full transition-transform ${isOn ? 'translate-x-4 bg-accent-ink' : 'bg-line-strong'}`}
          />
        </span>
        Desktop notifications
      </button>
      <p id={id} className={`mt-1 text-xs ${state === 'blocked' ? 'text-attention' : 'text-muted'}`}>
        {hints[state]}
      </p>
    </div>
  )
}
