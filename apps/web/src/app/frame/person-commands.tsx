import { useNavigate } from '@tanstack/react-router'
import { CircleQuestionMark, Keyboard, LogOut, Pause, Play, Sparkles, UserRound } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { themes } from '#app/theme/theme-switch.tsx'
import { chooseTheme, chosenTheme } from '#app/theme/theme.ts'
import { signOut } from '#features/people/accounts/sign-out.ts'
import { openHelp } from '#lib/address/help-address.ts'
import { MenuItem, MenuLine } from '#ui/overlays/menu.tsx'
import { usePausePolling } from './pause-polling.tsx'

export const PersonCommands = ({ hasNews, onKeys }: { hasNews: boolean; onKeys: () => void }) => {
  const navigate = useNavigate()
  const chosen = useSyncExternalStore(chosenTheme.subscribe, chosenTheme.get)
  const { paused, toggle } = usePausePolling()
  return (
    <>
      {hasNews && (
        <MenuItem icon={<Sparkles />} onSelect={() => void navigate({ to: '/settings/about' })}>
          What’s new
        </MenuItem>
      )}
      <MenuItem icon={<UserRound />} onSelect={() => void navigate({ to: '/account' })}>
        Your account
      </MenuItem>
      <MenuLine />
      {themes.map(({ theme, name, icon: Icon }) => (
        <MenuItem key={theme} icon={<Icon />} checked={theme === chosen} onSelect={() => chooseTheme(theme)}>
          {name}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon={paused ? <Play /> : <Pause />} onSelect={toggle}>
        {paused ? 'Resume refreshing' : 'Pause refreshing'}
      </MenuItem>
      <MenuItem icon={<Keyboard />} onSelect={onKeys}>
        Keyboard shortcuts
      </MenuItem>
      <MenuItem icon={<CircleQuestionMark />} onSelect={openHelp}>
        Help
      </MenuItem>
      <MenuLine />
      <MenuItem icon={<LogOut />} onSelect={signOut}>
        Sign out
      </MenuItem>
    </>
  )
}
