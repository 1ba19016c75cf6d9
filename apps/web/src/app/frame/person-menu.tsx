import { useHasUnreadNews } from '#features/overview/about/about.queries.ts'
import { NewsDot } from '#features/overview/about/news-dot.tsx'
import { useSession } from '#features/people/accounts/session.queries.ts'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { lazyWithPreload } from '#ui/overlays/lazy.tsx'
import { Menu } from '#ui/overlays/menu.tsx'

const PersonCommands = lazyWithPreload(async () => (await import('./person-commands.tsx')).PersonCommands)

/** Name and menu of the signed-in person; keeps its place until known. `compact` shows only the menu. */
export const PersonMenu = ({ compact = false, onKeys }: { compact?: boolean; onKeys: () => void }) => {
  const person = useSession().data?.person
  const hasNews = useHasUnreadNews(useStatus().data?.version)
  const menu = person && (
    <span className="flex items-center">
      {hasNews && <NewsDot />}
      <Menu label={`Menu of ${person.name}`}>
        <PersonCommands hasNews={hasNews} onKeys={onKeys} />
      </Menu>
    </span>
  )
  if (compact) return menu ?? <span className="size-8" />
  return (
    <div className="flex h-9 items-center justify-between gap-2 pl-2.5">
      {person && (
        <span className="min-w-0">
          <span dir="auto" className="block truncate text-left text-sm leading-4 font-medium" title={person.email}>
            {person.name}
          </span>
          <span className="block text-xs text-muted">{person.role}</span>
        </span>
      )}
      {menu}
    </div>
  )
}
