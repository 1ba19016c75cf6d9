import { Bell, Search } from 'lucide-react'
import { movedPages } from '#app/moved-pages.ts'
import { headings } from '#app/titles/headings.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Logo } from './logo.tsx'
import { destinations } from './navigation.tsx'

const listMovedTo = (path: string): string[] =>
  Object.entries(movedPages).flatMap(([old, to]) => (to === path ? [old] : []))

const SidebarFrame = () => (
  <div className="hidden h-full flex-col border-r border-line bg-sunken px-3 py-4 lg:flex">
    <span className="mb-4 flex items-center gap-2 px-2 py-1 text-lg font-semibold tracking-tight">
      <Logo />
      Docket
      <Bell className="ml-auto size-4 text-muted" />
    </span>
    <span className="mb-4 flex h-8 items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-sm text-muted">
      <Search className="size-4" />
      Search
    </span>
    <span hidden data-switcher="several" className="mb-4 h-8 rounded-md border border-line-strong/60 bg-surface" />
    <span className="flex flex-col gap-0.5">
      {destinations.map(({ to, within, name, icon: Icon }) => (
        <span
          key={to}
          data-within={within}
          className="flex h-8 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted aria-[current=page]:bg-surface aria-[current=page]:text-text aria-[current=page]:shadow-card"
        >
          <Icon className="size-4" strokeWidth={1.75} />
          {name}
        </span>
      ))}
    </span>
  </div>
)

const TopBarFrame = () => (
  <div className="flex h-12 items-center gap-2 border-b border-line bg-sunken px-4 text-lg font-semibold tracking-tight lg:hidden">
    <Logo className="size-5" />
    Docket
  </div>
)

const BottomBarFrame = () => (
  <div className="absolute inset-x-0 bottom-0 flex border-t border-line bg-sunken pb-[env(safe-area-inset-bottom)] lg:hidden">
    {destinations.map(({ to, within, name, icon: Icon }) => (
      <span
        key={to}
        data-within={within}
        className="flex h-14 flex-auto flex-col items-center justify-center gap-0.5 text-center text-[0.6875rem] leading-4 font-medium text-muted aria-[current=page]:text-accent"
      >
        <Icon className="size-5" strokeWidth={1.75} />
        {name}
      </span>
    ))}
  </div>
)

/**
 * The first paint: what `Shell` and `AuthFrame` show without data, hidden from screen readers. The build puts it into
 * the page, and `public/frame.js` shows what fits the address.
 */
export const Frame = () => (
  <div id="frame" aria-hidden="true" className="fixed inset-0 overflow-hidden">
    <div hidden data-frame="app" className="h-full">
      <div className="h-full lg:grid lg:grid-cols-[14.5rem_minmax(0,1fr)]">
        <SidebarFrame />
        <TopBarFrame />
        <div className="mx-auto w-full max-w-6xl px-4 pt-5 sm:px-6 lg:px-10 lg:pt-9">
          <div hidden data-switcher="several" className="-mt-1 mb-4 h-8 lg:hidden" />
          {Object.entries(headings).map(([path, { title, about }]) => (
            <div key={path} hidden data-heading={[path, ...listMovedTo(path)].join(' ')}>
              <PageHeader title={title}>{about}</PageHeader>
            </div>
          ))}
        </div>
        <BottomBarFrame />
      </div>
    </div>
    <div hidden data-frame="auth" className="mx-auto max-w-md px-4 py-6 sm:py-12">
      <span className="flex items-center gap-2 text-lg font-semibold tracking-tight">
        <Logo />
        Docket
      </span>
    </div>
  </div>
)
