import { announce } from '#lib/announcements.ts'

/** A short message. With an action ("Undo") it stays longer. */
export type ToastMessage = {
  id: number
  text: string
  tone: 'done' | 'failed' | 'idle'
  action?: { label: string; run: () => void }
}

let messages: readonly ToastMessage[] = []
let lastId = 0
const listeners = new Set<() => void>()

const change = (next: readonly ToastMessage[]) => {
  messages = next
  for (const listener of listeners) listener()
}

/** Shows a message and announces it to screen readers. */
export const toast = (text: string, options: Partial<Pick<ToastMessage, 'tone' | 'action'>> = {}): void => {
  lastId += 1
  announce(text)
  change([...messages.slice(-3), { id: lastId, text, tone: 'idle', ...options }])
}

export const dismissToast = (id: number): void => change(messages.filter((message) => message.id !== id))

/** Messages on screen, for `useSyncExternalStore`. */
export const toasts = {
  get: (): readonly ToastMessage[] => messages,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
