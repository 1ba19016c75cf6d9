import { toMessage } from '#lib/api/api-error.ts'
import { announce } from '#lib/state/announcements.ts'
import { createStore } from '#lib/state/store.ts'

export type ToastMessage = {
  id: number
  text: string
  tone: 'done' | 'failed' | 'attention' | 'idle'
  action?: { label: string; run: () => void }
}

export const toasts = createStore<readonly ToastMessage[]>([])

let lastId = 0

export const toast = (text: string, options: Partial<Pick<ToastMessage, 'tone' | 'action'>> = {}): void => {
  lastId += 1
  announce(options.action ? `${text} Press F8 for ${options.action.label}.` : text)
  toasts.set([...toasts.get().slice(-3), { id: lastId, text, tone: 'idle', ...options }])
}

/** Returns a handler that shows that something is done, and then calls `then`. */
export const toastDone =
  <Out>(message: string | ((out: Out) => string), then?: () => void) =>
  (out: Out): void => {
    toast(typeof message === 'string' ? message : message(out), { tone: 'done' })
    then?.()
  }

/** Returns a handler that shows why something failed, after `message` if there is one. */
export const toastFailure =
  (message = '') =>
  (error: unknown): void =>
    toast(`${message} ${toMessage(error)}`.trim(), { tone: 'failed' })

export const dismissToast = (id: number): void => toasts.set(toasts.get().filter((message) => message.id !== id))
