import { readStored, writeStored } from '#lib/storage.ts'

/** `system` follows the machine. The script in the head of the page applies the stored choice before the first paint. */
export type Theme = 'system' | 'light' | 'dark'

const listeners = new Set<() => void>()

/** Chosen theme, for `useSyncExternalStore`. */
export const chosenTheme = {
  get: (): Theme => {
    const stored = readStored('local', 'theme')
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Applies and stores a theme. */
export const chooseTheme = (theme: Theme): void => {
  writeStored('local', 'theme', theme === 'system' ? null : theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  for (const listener of listeners) listener()
}
