import type { Person } from '@docket/api-types/session'
import { useSession } from '#features/people/accounts/session.queries.ts'
import { lazyWithPreload } from '#ui/overlays/lazy.tsx'
import { Menu } from '#ui/overlays/menu.tsx'

const PersonCommands = lazyWithPreload(async () => (await import('./person-commands.tsx')).PersonCommands)

const PersonCommandsMenu = ({ person, withHelp }: { person: Person; withHelp: boolean }) => (
  <Menu label={`Menu of ${person.name}`}>
    <PersonCommands person={person} withHelp={withHelp} />
  </Menu>
)

/** Name and menu of the signed-in person; keeps its place until known. `compact` shows only the menu. */
export const PersonMenu = ({ compact = false }: { compact?: boolean }) => {
  const person = useSession().data?.person
  if (compact) return person ? <PersonCommandsMenu person={person} withHelp /> : <span className="size-8" />
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
          <PersonCommandsMenu person={person} withHelp={false} />
        </>
      )}
    </div>
  )
}
