import type { Person } from '@docket/api-types/session'
import { useNavigate } from '@tanstack/react-router'
import { LogOut, UserRound, Users } from 'lucide-react'
import { signOut } from '#features/accounts/sign-out.ts'
import { MenuItem, MenuLine } from '#ui/overlays/menu-item.tsx'

/** Commands about the signed-in person. */
export const PersonCommands = ({ person }: { person: Person }) => {
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
      <MenuLine />
      <MenuItem icon={<LogOut />} onSelect={signOut}>
        Sign out
      </MenuItem>
    </>
  )
}
