import { CircleQuestionMark, Keyboard, Search } from 'lucide-react'
import { ActivityButton, RunningCount } from '#app/activity/activity-button.tsx'
import { useSingleKeys } from '#app/keys/shortcuts.ts'
import { ThemeSwitch } from '#app/theme/theme-switch.tsx'
import { NewsLink } from '#features/overview/about/news-link.tsx'
import { ConnectionBadge } from '#features/service/connections/connection-badge.tsx'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { buttonClass } from '#ui/buttons/button.tsx'
import { IconButton } from '#ui/buttons/icon-button.tsx'
import { Kbd } from '#ui/buttons/kbd.tsx'
import { ConnectionSwitcher } from '#ui/connections/connection-switcher.tsx'
import { HelpLink } from '#ui/links/help-link.tsx'
import { Link, NavLink } from '#ui/links/link.tsx'
import { Logo } from './logo.tsx'
import { destinations } from './navigation.tsx'
import { PauseSwitch } from './pause-switch.tsx'
import { PersonMenu } from './person-menu.tsx'

export const Sidebar = ({ onPalette, onKeys }: { onPalette: () => void; onKeys: () => void }) => {
  const { data } = useStatus()
  const hasKeys = useSingleKeys()
  return (
    <header className="sticky top-0 flex h-dvh flex-col overflow-y-auto border-r border-line bg-sunken px-3 py-4">
      <Link to="/" className="mb-4 flex items-center gap-2 rounded-md px-2 py-1 text-lg font-semibold tracking-tight">
        <Logo />
        Docket
      </Link>
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
      <ActivityButton />
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
        <NewsLink version={data?.version} />
        <Link to="/settings/connection" className="rounded-md border border-line bg-surface px-2.5 py-2 hover:bg-hover">
          <ConnectionBadge />
        </Link>
        <PersonMenu />
        <div className="flex items-center justify-between">
          <ThemeSwitch />
          <span className="flex">
            <HelpLink page="" title="Help: the user guide" className={buttonClass({ variant: 'quiet', size: 'icon' })}>
              <CircleQuestionMark className="size-4" aria-hidden="true" />
              <span className="sr-only">Help</span>
            </HelpLink>
            <PauseSwitch />
            <IconButton
              icon={Keyboard}
              label="Show keyboard shortcuts"
              title={hasKeys ? 'Keyboard shortcuts (?)' : 'Keyboard shortcuts'}
              onClick={onKeys}
            />
          </span>
        </div>
      </div>
    </header>
  )
}
