import { Monitor, Moon, Sun } from 'lucide-react'
import { useId, useSyncExternalStore } from 'react'
import { chooseTheme, chosenTheme } from './theme.ts'

export const themes = [
  { theme: 'system', name: 'System theme', icon: Monitor },
  { theme: 'light', name: 'Light theme', icon: Sun },
  { theme: 'dark', name: 'Dark theme', icon: Moon },
] as const

export const ThemeSwitch = () => {
  const chosen = useSyncExternalStore(chosenTheme.subscribe, chosenTheme.get)
  const group = useId()
  return (
    <div role="radiogroup" aria-label="Theme" className="inline-flex rounded-md border border-line bg-sunken p-0.5">
      {themes.map(({ theme, name, icon: Icon }) => (
        <label
          key={theme}
          title={name}
          className="grid size-7 cursor-pointer place-items-center rounded-sm text-muted hover:text-text has-checked:bg-surface has-checked:text-text has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={group}
            className="sr-only"
            checked={chosen === theme}
            onChange={() => chooseTheme(theme)}
            aria-label={name}
          />
          <Icon className="size-4" aria-hidden="true" />
        </label>
      ))}
    </div>
  )
}
