import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { replaceEntry } from '#lib/address/history-entry.ts'
import { readStored, writeStored } from '#lib/state/store.ts'
import { createUuid } from '#lib/uuid.ts'
import type { LoadedList, PageSlot } from './pages.ts'

type Saved = {
  list: string
  visit: string
  y: number
  slots: readonly (readonly [from: string | null, size: number])[]
}

const quietMs = 150

/** Id of one person's session in this tab. Sign-out clears it, so no other person gets the position back. */
const loadTabId = (): string => {
  const known = readStored('session', 'visit')
  if (known !== null) return known
  const visit = createUuid()
  writeStored('session', 'visit', visit)
  return visit
}

const isSavedPlace = (value: unknown): value is Saved =>
  typeof value === 'object' && value !== null && 'list' in value && 'slots' in value && Array.isArray(value.slots)

const readSavedPlace = (list: string): Saved | null => {
  const saved = (history.state as { list?: unknown } | null)?.list
  return isSavedPlace(saved) && saved.list === list && saved.visit === loadTabId() ? saved : null
}

const saveScrollPlace = ({ list, pages }: LoadedList<unknown, unknown>): void => {
  if (scrollY === 0 && readSavedPlace(list) === null) return
  const saved: Saved = { list, visit: loadTabId(), y: scrollY, slots: pages.map(({ from, size }) => [from, size]) }
  try {
    replaceEntry({ ...(history.state as object | null), list: saved })
  } catch {
    // A browser may refuse the size or the rate; then only the position is lost.
  }
}

/** Pages of a list when the reader left it, without their rows. Undefined when nothing was saved. */
export const readSavedSlots = (list: string): readonly PageSlot<never>[] | undefined => {
  const slots = readSavedPlace(list)?.slots.map(([from, size]) => ({ from, size }))
  return slots?.length ? slots : undefined
}

/** Saves pages and scroll position in the history entry. Scrolls back there after a reload or on return. */
export const useScrollPlace = (loaded: LoadedList<unknown, unknown>): void => {
  const [y] = useState(() => readSavedPlace(loaded.list)?.y ?? 0)
  useLayoutEffect(() => {
    if (y > 0) scrollTo(0, y)
  }, [y])

  const saveNow = useEffectEvent(() => saveScrollPlace(loaded))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = () => {
      clearTimeout(timer)
      timer = setTimeout(saveNow, quietMs)
    }
    const now = () => saveNow()
    addEventListener('scroll', later, { passive: true })
    // A click may follow a link away from the list.
    document.addEventListener('click', now, { capture: true })
    addEventListener('pagehide', now)
    return () => {
      clearTimeout(timer)
      removeEventListener('scroll', later)
      document.removeEventListener('click', now, { capture: true })
      removeEventListener('pagehide', now)
    }
  }, [])
}
