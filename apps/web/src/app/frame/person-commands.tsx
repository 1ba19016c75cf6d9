import type { Person } from '@docket/api-types/session'
import { useNavigate } from '@tanstack/react-router'
import { CircleQuestionMark, LogOut, UserRound, Users } from 'lucide-react'
import { signOut } from '#features/people/accounts/sign-out.ts'
import { openHelp } from '#lib/address/help-address.ts'
import { MenuItem, MenuLine } from '#ui/overlays/menu-item.tsx'

export const PersonCommands = ({ person, withHelp }: { person: Person; withHelp: boolean }) => {
  const navigate = useNavigate()
  return (
    <>
      <MenuItem icon={<UserRound />} onSelect={() => void navigate({ to: '/settings/account' })}>
        Your account
      </MenuItem>
      {person.role === 'admin' && (
        <MenuItem icon={<Users />} onSelect={() => void navigate({ to: '/settings/people' })}>
          People
        </MenuItem>
      )}
      {withHelp && (
        <MenuItem icon={<CircleQuestionMark />} onSelect={openHelp}>
          Help
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon={<LogOut />} onSelect={signOut}>
        Sign out
      </MenuItem>
    </>
  )
}
