import { Search } from 'lucide-react'
import { ActivityButton, RunningCount } from '#app/activity/activity-button.tsx'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { TroubleLink } from '#features/service/connections/trouble-link.tsx'
import { Kbd } from '#ui/buttons/kbd.tsx'
import { ConnectionSwitcher } from '#ui/connections/connection-switcher.tsx'
import { Link, NavLink } from '#ui/links/link.tsx'
import { Logo } from './logo.tsx'
import { destinations } from './navigation.tsx'
import { PersonMenu } from './person-menu.tsx'

export const Sidebar = ({ onPalette, onKeys }: { onPalette: () => void; onKeys: () => void }) => {
  const { data } = useStatus()
  return (
    <header className="sticky top-0 flex h-dvh flex-col overflow-y-auto border-r border-line bg-sunken px-3 py-4">
      <div className="mb-4 flex items-center justify-between gap-2">
        <Link to="/" className="flex items-center gap-2 rounded-md px-2 py-1 text-lg font-semibold tracking-tight">
          <Logo />
          Docket
        </Link>
        <ActivityButton />
      </div>
      <button
        type="button"
        onClick={onPalette}
        className="mb-4 flex h-8 items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-sm text-muted hover:text-text"
      >
        <Search className="size-4" aria-hidden="true" />
        <span className="flex-1 text-left">
          Search<span className="sr-only"> or run a command</span>
        </span>
        <Kbd>{/Mac/u.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</Kbd>
      </button>
      <ConnectionSwitcher className="mb-4" />
      <nav aria-label="Main" className="flex flex-col gap-0.5">
        {destinations.map(({ to, within, name, icon: Icon }) => (
          <NavLink
            key={to}
            to={to}
            within={within}
            className="flex h-8 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-surface aria-[current=page]:text-text aria-[current=page]:shadow-card"
          >
            <Icon className="size-4" strokeWidth={1.75} aria-hidden="true" />
            {name}
            {to === '/exports' && <RunningCount count={data?.active.staticExports ?? 0} what="running" />}
            {to === '/agent-jobs' && <RunningCount count={data?.active.agentJobs ?? 0} what="working" />}
          </NavLink>
        ))}
      </nav>
      <div className="mt-auto flex flex-col gap-3">
        <TroubleLink />
        <PersonMenu onKeys={onKeys} />
      </div>
    </header>
  )
}
