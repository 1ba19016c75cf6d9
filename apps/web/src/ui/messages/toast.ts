import { announce } from '#lib/state/announcements.ts'
import { toMessage } from '#lib/api/api-error.ts'
import { createStore } from '#lib/state/store.ts'

/** A short message. With an action ("Undo") it stays longer. */
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

/** Returns a handler that shows why something failed, after `sentence` if there is one. */
export const toastFailure =
  (sentence = '') =>
  (error: unknown): void =>
    toast(`${sentence} ${toMessage(error)}`.trim(), { tone: 'failed' })

/** Shows how a command ended, even if its component has left the page by then. `failure` precedes the reason. */
export const toastEnd = <Out>(command: Promise<Out>, message: string | ((out: Out) => string), failure = ''): void =>
  void command.then(
    (out) => toast(typeof message === 'string' ? message : message(out), { tone: 'done' }),
    toastFailure(failure),
  )

/** As `toastEnd`, with a button that undoes the command. */
export const toastUndo = (command: Promise<unknown>, message: string, undo: () => Promise<unknown>): void =>
  void command.then(
    () => toast(message, { action: { label: 'Undo', run: () => void undo().catch(toastFailure()) } }),
    toastFailure(),
  )

export const dismissToast = (id: number): void => toasts.set(toasts.get().filter((message) => message.id !== id))
