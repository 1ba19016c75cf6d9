import { X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { useSyncExternalStore } from 'react'
import { Button } from './button.tsx'
import { StateMark } from './state-mark.tsx'

type Message = {
  id: number
  text: string
  tone: 'done' | 'failed' | 'idle'
  action?: { label: string; run: () => void }
}

let messages: readonly Message[] = []
let lastId = 0
const listeners = new Set<() => void>()
const change = (next: readonly Message[]) => {
  messages = next
  for (const listener of listeners) listener()
}
const dismiss = (id: number) => change(messages.filter((message) => message.id !== id))
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows a short message; one with an action ("Undo") stays longer. */
export const toast = (text: string, options: Partial<Pick<Message, 'tone' | 'action'>> = {}): void => {
  lastId += 1
  change([...messages.slice(-3), { id: lastId, text, tone: 'idle', ...options }])
}

/** Where toasts appear. F8 moves the focus there. */
export const Toaster = () => {
  const shown = useSyncExternalStore(subscribe, () => messages)
  return (
    <Toast.Provider swipeDirection="down">
      {shown.map((message) => (
        <Toast.Root
          key={message.id}
          type={message.tone === 'failed' ? 'foreground' : 'background'}
          duration={message.action ? 10_000 : 6000}
          onOpenChange={(open) => !open && dismiss(message.id)}
          className="appear flex items-center gap-3 rounded-lg border border-line bg-raised py-2 pr-2 pl-3.5 text-sm shadow-float"
        >
          <StateMark tone={message.tone} />
          <Toast.Description className="min-w-0 flex-1 wrap-anywhere">{message.text}</Toast.Description>
          {message.action && (
            <Toast.Action altText={message.action.label} asChild>
              <Button onClick={message.action.run}>{message.action.label}</Button>
            </Toast.Action>
          )}
          <Toast.Close asChild>
            <Button variant="quiet" size="icon" aria-label="Dismiss">
              <X className="size-4" aria-hidden="true" />
            </Button>
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className="fixed right-4 bottom-20 left-4 z-50 ml-auto flex max-w-md flex-col gap-2 outline-none lg:bottom-4" />
    </Toast.Provider>
  )
}
