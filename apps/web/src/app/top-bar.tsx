import { ConnectionBadge } from '#features/connection/connection-badge.tsx'
import { Link } from '#ui/link.tsx'
import { ActivityButton } from './activity/activity-button.tsx'
import { Logo } from './logo.tsx'
import { PauseSwitch } from './pause-switch.tsx'
import { PersonMenu } from './person-menu.tsx'

/** Name and connection on narrow screens. */
export const TopBar = () => (
  <header className="sticky top-0 z-20 flex h-12 items-center justify-between gap-3 border-b border-line bg-sunken px-4 lg:hidden">
    <Link href="/" className="flex items-center gap-2 text-lg font-semibold tracking-tight">
      <Logo className="size-5" />
      Docket
    </Link>
    <div className="flex min-w-0 items-center gap-1">
      <Link href="/settings/connection" className="min-w-0 rounded-md px-1.5 py-1">
        <ConnectionBadge compact />
      </Link>
      <ActivityButton compact />
      <PauseSwitch />
      <PersonMenu compact />
    </div>
  </header>
)
