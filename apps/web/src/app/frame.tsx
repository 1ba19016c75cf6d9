import { Activity, Search, type LucideIcon } from 'lucide-react'
import { Logo } from './logo.tsx'
import { destinations } from './navigation.tsx'

const Entry = ({ icon: Icon, name, className = '' }: { icon: LucideIcon; name: string; className?: string }) => (
  <span className={`flex h-8 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted ${className}`}>
    <Icon className="size-4" strokeWidth={1.75} />
    {name}
  </span>
)

/** The sidebar before its scripts have run. */
const SidebarFrame = () => (
  <div className="hidden h-full w-58 flex-col border-r border-line bg-sunken px-3 py-4 lg:flex">
    <span className="mb-4 flex items-center gap-2 px-2 py-1 text-lg font-semibold tracking-tight">
      <Logo />
      Docket
    </span>
    <span className="mb-4 flex h-8 items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-sm text-muted">
      <Search className="size-4" />
      Find or do
    </span>
    <span className="mb-4 hidden h-8 rounded-md border border-line-strong/60 bg-surface in-data-connections:block" />
    <Entry icon={Activity} name="Activity" className="mb-1" />
    <span className="flex flex-col gap-0.5">
      {destinations.map(({ to, icon, name }) => (
        <Entry key={to} icon={icon} name={name} />
      ))}
    </span>
  </div>
)

/** The bars of narrow screens before their scripts have run. */
const BarsFrame = () => (
  <>
    <div className="flex h-12 items-center gap-2 border-b border-line bg-sunken px-4 text-lg font-semibold tracking-tight lg:hidden">
      <Logo className="size-5" />
      Docket
    </div>
    <div className="absolute inset-x-0 bottom-0 grid grid-cols-5 border-t border-line bg-sunken pb-[env(safe-area-inset-bottom)] lg:hidden">
      {destinations.map(({ to, short, icon: Icon }) => (
        <span
          key={to}
          className="flex h-14 flex-col items-center justify-center gap-0.5 text-[0.6875rem] font-medium text-muted"
        >
          <Icon className="size-5" strokeWidth={1.75} />
          {short}
        </span>
      ))}
    </div>
  </>
)

/**
 * The first paint: what `Shell` and `AuthFrame` show without data. The build puts it into the page, outside the tab
 * order and the accessibility tree; `public/theme.js` chooses between the two.
 */
export const Frame = () => (
  <div id="frame" aria-hidden="true" className="fixed inset-0 noscript:hidden">
    <div className="h-full in-data-[frame=auth]:hidden">
      <SidebarFrame />
      <BarsFrame />
    </div>
    <div className="mx-auto hidden max-w-md items-center gap-2 px-4 py-6 text-lg font-semibold tracking-tight in-data-[frame=auth]:flex sm:py-12">
      <Logo />
      Docket
    </div>
  </div>
)
