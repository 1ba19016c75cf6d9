import type { Person } from '@docket/api-types/session'
import { useNavigate } from '@tanstack/react-router'
import { LogOut, UserRound, Users } from 'lucide-react'
import { useSession } from '#features/accounts/session.queries.ts'
import { signOut } from '#features/accounts/sign-out.ts'
import { Menu, MenuItem, MenuLine } from '#ui/overlays/menu.tsx'

const PersonCommands = ({ person }: { person: Person }) => {
  const navigate = useNavigate()
  return (
    <Menu label={`Menu of ${person.name}`}>
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
    </Menu>
  )
}

/** Name and menu of the signed-in person; keeps its place until known. `compact` shows only the menu. */
export const PersonMenu = ({ compact = false }: { compact?: boolean }) => {
  const person = useSession().data?.person
  if (compact) return person ? <PersonCommands person={person} /> : <span className="size-8" />
  return (
    <div className="flex h-9 items-center justify-between gap-2 pl-2.5">
      {person && (
        <>
          <span className="min-w-0">
            <span dir="auto" className="block truncate text-left text-sm leading-4 font-medium" title={person.email}>
              {person.name}
            </span>
            <span className="block text-xs text-muted">{person.role}</span>
          </span>
          <PersonCommands person={person} />
        </>
      )}
    </div>
  )
}
