import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { destinations } from '#app/frame/navigation.tsx'
import { openNewExport } from '#features/records/static-exports/start/new-export.tsx'
import { readStored, writeStored, createStore } from '#lib/state/store.ts'
import { useStartRefusal } from '#ui/connections/connections.tsx'
import { toast } from '#ui/messages/toast.ts'

/** Whether keys without Ctrl or ⌘ are shortcuts in this browser. Speech input types such keys by accident. */
const singleKeys = createStore(readStored('local', 'single-keys') !== 'off')

export const switchSingleKeys = (on: boolean): void => {
  writeStored('local', 'single-keys', on ? null : 'off')
  singleKeys.set(on)
}

export const useSingleKeys = (): boolean => useSyncExternalStore(singleKeys.subscribe, singleKeys.get)

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

const focusField = (what: 'new' | 'filter'): boolean => {
  const field = document.querySelector<HTMLElement>(`main [data-hotkey="${what}"]`)
  field?.focus()
  // This is the button that opens the form.
  if (field instanceof HTMLButtonElement) field.click()
  return field !== null
}

/** Keyboard shortcuts. Single letters work only outside text fields and dialogs, and can be turned off. */
export const useShortcuts = (open: { palette: () => void; keys: () => void; activity: () => void }): void => {
  const afterG = useRef(false)
  const navigate = useNavigate()
  const refused = useStartRefusal()

  const startNew = () => {
    if (focusField('new')) return
    if (refused === null) openNewExport()
    else toast(refused)
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // On a keyboard without Latin letters, the key in the place of K.
    const isK = /^k$/i.test(event.key) || (event.code === 'KeyK' && !/^[a-z]$/i.test(event.key))
    if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && isK) {
      event.preventDefault()
      return open.palette()
    }
    if (
      event.metaKey ||
      event.ctrlKey ||
      event.altKey ||
      !singleKeys.get() ||
      isTyping(event.target) ||
      document.querySelector('dialog[open]')
    )
      return
    const destination = afterG.current
      ? destinations.find(({ key }) => key === (event.key === 'o' ? 'h' : event.key))
      : undefined
    afterG.current = event.key === 'g'
    if (destination) void navigate({ to: destination.to })
    else if (event.key === '?') open.keys()
    else if (event.key === 'r') open.activity()
    else if (event.key === 'n') startNew()
    else if (event.key !== '/' || !focusField('filter')) return
    event.preventDefault()
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
