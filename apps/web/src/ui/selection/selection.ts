import { createContext, use, useSyncExternalStore } from 'react'
import { createStore } from '#lib/state/store.ts'

type Shown = { id: string; row: unknown }

/**
 * Selected rows of one list. `shown` are its loaded rows in the order on screen. A record keeps its selection while others come and go,
 * and loses it when it leaves the list.
 */
export const createSelection = () => {
  // Plain objects, because stores compare by entries.
  const picked = createStore<Readonly<Record<string, true>>>({})
  const shown = createStore<readonly Shown[]>([])
  let anchor: string | null = null
  const place = (ids: readonly string[], on: boolean) => {
    const next = { ...picked.get() }
    for (const id of ids) {
      if (on) next[id] = true
      else delete next[id]
    }
    picked.set(next)
  }
  const findRange = (id: string): string[] => {
    const rows = shown.get()
    const [from, to] = [anchor, id].map((end) => rows.findIndex((row) => row.id === end)) as [number, number]
    return from < 0 || to < 0 ? [id] : rows.slice(Math.min(from, to), Math.max(from, to) + 1).map((row) => row.id)
  }
  return {
    picked,
    shown,
    has: (id: string) => picked.get()[id] === true,
    /** Selects a row or takes it out; with `extend`, all between it and the row before. `isOpen` is false for rows that stay out. */
    toggle: (id: string, on: boolean, { extend, isOpen }: { extend: boolean; isOpen: (row: unknown) => boolean }) => {
      const range = extend ? new Set(findRange(id)) : new Set([id])
      const open = shown.get().filter((row) => range.has(row.id) && isOpen(row.row))
      place([...open.map((row) => row.id), id], on)
      anchor = id
    },
    select: (ids: readonly string[]) => place(ids, true),
    drop: (ids: readonly string[]) => place(ids, false),
    clear: () => picked.set({}),
  }
}

export type Selection = ReturnType<typeof createSelection>

export const SelectionContext = createContext(createSelection())

const countSelected = (selection: Selection) =>
  selection.shown.get().reduce((sum, { id }) => sum + (selection.has(id) ? 1 : 0), 0)

export const useSelectedCount = (selection: Selection): number => {
  const read = () => countSelected(selection)
  useSyncExternalStore(selection.shown.subscribe, read)
  return useSyncExternalStore(selection.picked.subscribe, read)
}

export const useIsSelected = (id: string): boolean => {
  const { picked, has } = use(SelectionContext)
  return useSyncExternalStore(picked.subscribe, () => has(id))
}
