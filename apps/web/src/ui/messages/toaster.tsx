import { X } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Button, IconButton } from '#ui/buttons/button.tsx'
import { StateMark } from '#ui/marks/state-mark.tsx'
import { dismissToast, toasts, type ToastMessage } from './toast.ts'

const shownMs = 6000
const shownWithActionMs = 10_000

const ToastItem = ({ message: { id, text, tone, action }, paused }: { message: ToastMessage; paused: boolean }) => {
  const lastsMs = action ? shownWithActionMs : shownMs
  useEffect(() => {
    if (paused) return
    const timer = setTimeout(() => dismissToast(id), lastsMs)
    return () => clearTimeout(timer)
  }, [id, paused, lastsMs])
  const act = () => {
    action?.run()
    dismissToast(id)
  }
  return (
    <li className="animate-appear pointer-events-auto flex items-center gap-3 rounded-lg border border-line bg-raised py-2 pr-2 pl-3.5 text-sm shadow-float">
      <StateMark tone={tone} />
      <span dir="auto" className="min-w-0 flex-1 wrap-anywhere">
        {text}
      </span>
      {action && <Button onClick={act}>{action.label}</Button>}
      <IconButton icon={X} label="Dismiss" onClick={() => dismissToast(id)} />
    </li>
  )
}

/** Messages on screen. They stay while the pointer or focus is on them; F8 focuses them. */
export const Toaster = () => {
  const messages = useSyncExternalStore(toasts.subscribe, toasts.get)
  const [paused, setPaused] = useState(false)
  const region = useRef<HTMLElement>(null)
  useEffect(() => {
    const jump = (event: KeyboardEvent) => event.key === 'F8' && region.current?.querySelector('button')?.focus()
    document.addEventListener('keydown', jump)
    return () => document.removeEventListener('keydown', jump)
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- being pointed at only stops the clock
    <section
      ref={region}
      aria-label="Notifications"
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      className="pointer-events-none fixed right-4 bottom-20 left-4 low:bottom-2 z-50 ml-auto max-w-md lg:bottom-4"
    >
      <ol className="flex flex-col gap-2">
        {messages.map((message) => (
          <ToastItem key={message.id} message={message} paused={paused} />
        ))}
      </ol>
    </section>
  )
}
