import { readStored, writeStored, createStore } from '#lib/state/store.ts'

/** `system` follows the machine. The script in the head of the page applies the stored choice before the first paint. */
export type Theme = 'system' | 'light' | 'dark'

const readTheme = (): Theme => {
  const stored = readStored('local', 'theme')
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export const chosenTheme = createStore(readTheme())

export const chooseTheme = (theme: Theme): void => {
  writeStored('local', 'theme', theme === 'system' ? null : theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  chosenTheme.set(theme)
}
