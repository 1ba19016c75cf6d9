import { readStored, writeStored } from '#lib/state/store.ts'

/** `blocked`: the reader refused them. `impossible`: the browser lacks them, or requires https. */
export type NotificationState = 'on' | 'off' | 'blocked' | 'impossible'

const listeners = new Set<() => void>()
const notifyListeners = () => {
  for (const listener of listeners) listener()
}

/** Switch for notifications, for `useSyncExternalStore`. Other tabs and the browser's settings change it too. */
export const notifications = {
  get: (): NotificationState => {
    if (!('Notification' in window) || !('locks' in navigator)) return 'impossible'
    if (Notification.permission === 'denied') return 'blocked'
    return Notification.permission === 'granted' && readStored('local', 'notify') === 'on' ? 'on' : 'off'
  },
  /** Asks for permission if needed; call it from a click. Earlier endings are not announced. */
  turnOn: async (): Promise<void> => {
    if ((await Notification.requestPermission()) === 'granted') {
      writeStored('local', 'notified', null)
      writeStored('local', 'notify', 'on')
    }
    notifyListeners()
  },
  turnOff: (): void => {
    writeStored('local', 'notify', null)
    notifyListeners()
  },
  subscribe: (listener: () => void): (() => void) => {
    if (listeners.size === 0) for (const event of ['storage', 'focus']) addEventListener(event, notifyListeners)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) for (const event of ['storage', 'focus']) removeEventListener(event, notifyListeners)
    }
  },
}
