import { readStored, writeStored } from '#lib/storage.ts'
import type { Tiles } from '#lib/tiles.ts'
import { uuid } from '#lib/uuid.ts'

type Part = readonly [from: string | null, until: string | null, size: number]
type Saved = { list: string; visit: string; y: number; parts: readonly Part[]; next: string | null }

/** Names the stay of one person in this tab. Signing out forgets it, so what was kept before is nothing to the next one. */
const visit = (): string => {
  const known = readStored('session', 'visit')
  if (known !== null) return known
  const made = uuid()
  writeStored('session', 'visit', made)
  return made
}

const isSaved = (value: unknown): value is Saved =>
  typeof value === 'object' && value !== null && 'list' in value && 'parts' in value && Array.isArray(value.parts)

const read = (list: string): Saved | null => {
  const state = history.state as { list?: unknown } | null
  const saved = state?.list
  return isSaved(saved) && saved.list === list && saved.visit === visit() ? saved : null
}

/** Keeps with this entry of the history how far the list was loaded and scrolled, for a reload and for the way back. */
export const saveList = ({ list, tiles, next }: Tiles<unknown, unknown>): void => {
  const parts: Part[] = tiles.map(({ from, until, size }) => [from, until, size])
  const saved: Saved = { list, visit: visit(), y: scrollY, parts, next }
  try {
    history.replaceState({ ...(history.state as object | null), list: saved }, '')
  } catch {
    // A browser that finds it too much, or too often, forgets only the place.
  }
}

/** Where the page was scrolled to when this list was left; null when it was not. Pixels. */
export const savedScroll = (list: string): number | null => read(list)?.y ?? null

/** The list as it was loaded when it was left, with nothing read yet; undefined when it was not kept. */
export const savedTiles = (list: string): Tiles<never, never> | undefined => {
  const saved = read(list)
  if (saved === null || saved.parts.length === 0) return undefined
  const tiles = saved.parts.map(([from, until, size]) => ({ from, until, rows: null, size }))
  return { list, tiles, next: saved.next, counts: null }
}
