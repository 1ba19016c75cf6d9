import { Outlet, useMatches } from '@tanstack/react-router'
import { NavLink } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { useRefusal } from '#ui/forms/use-refusal.ts'

const pages = [
  {
    to: '/settings/connection',
    name: 'Connection',
    needed: 'viewer',
    hint: 'The connection between Docket and the documentation service, and this browser.',
  },
  {
    to: '/settings/connections',
    name: 'Connections',
    needed: 'admin',
    hint: 'The services that Docket asks, and the projects behind them.',
  },
  { to: '/settings/account', name: 'Account', needed: 'viewer', hint: 'Your name, role and sign-in methods.' },
  {
    to: '/settings/people',
    name: 'People',
    needed: 'admin',
    hint: 'Who can use this Docket, and their roles.',
  },
  { to: '/settings/tokens', name: 'API tokens', needed: 'admin', hint: 'Tokens call Docket from CI and scripts.' },
  { to: '/settings/audit', name: 'Audit', needed: 'admin', hint: 'Who did what, from where, and how it ended.' },
] as const

/** Tabs by role. Admins have the report of one connection below the list of all. */
export const listTabs = (isAdmin: boolean) =>
  pages.filter(({ to, needed }) => (isAdmin ? to !== '/settings/connection' : needed !== 'admin'))

const SettingsNavigation = ({ current }: { current: string | undefined }) => {
  const isAdmin = useRefusal('admin') === null
  return (
    <nav
      aria-label="Settings"
      className="-mx-4 mb-5 flex overflow-x-auto border-b border-line pl-2 sm:mx-0 sm:gap-1 sm:px-0"
    >
      {listTabs(isAdmin).map(({ to, name }) => (
        <NavLink
          key={to}
          to={to}
          within={to === '/settings/connections' && current === '/settings/connection' ? current : to}
          className="-mb-px flex h-9 shrink-0 items-center border-b-2 border-transparent px-2 text-sm font-medium text-muted hover:text-text focus-visible:outline-offset-[-2px] aria-[current=page]:border-accent aria-[current=page]:text-text sm:px-3"
        >
          {name}
        </NavLink>
      ))}
    </nav>
  )
}

/** Frame of the settings pages. Hides admin pages from other roles. */
export const SettingsFrame = () => {
  const current = useMatches({ select: (matches) => matches.at(-1)?.fullPath })
  const { hint, needed } = pages.find(({ to }) => to === current) ?? pages[0]
  const refusal = useRefusal(needed)
  return (
    <>
      <PageHeader title="Settings">{hint}</PageHeader>
      <SettingsNavigation current={current} />
      {refusal === null ? <Outlet /> : <Notice tone="idle">{refusal}</Notice>}
    </>
  )
}
