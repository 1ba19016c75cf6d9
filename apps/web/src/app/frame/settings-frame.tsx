import { Outlet, useMatches } from '@tanstack/react-router'
import { useHasUnreadNews } from '#features/overview/about/about.queries.ts'
import { NewsDot } from '#features/overview/about/news-link.tsx'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { NavLink } from '#ui/links/link.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { tabClass, Tabs } from '#ui/layout/tabs.tsx'
import { useRefusal } from '#ui/forms/use-refusal.ts'

const pages = [
  {
    to: '/settings/connection',
    name: 'Connection',
    needed: 'viewer',
    hint: 'The connection to your documentation service, and this browser.',
  },
  {
    to: '/settings/connections',
    name: 'Connections',
    needed: 'admin',
    hint: 'The services Docket calls, and their projects.',
  },
  { to: '/settings/account', name: 'Account', needed: 'viewer', hint: 'Your name, role and sign-in methods.' },
  {
    to: '/settings/people',
    name: 'People',
    needed: 'admin',
    hint: 'Who can use this Docket, and their roles.',
  },
  { to: '/settings/tokens', name: 'API tokens', needed: 'admin', hint: 'Tokens call Docket from CI and scripts.' },
  {
    to: '/settings/storage',
    name: 'Storage',
    needed: 'admin',
    hint: 'The bundles Docket stores, how large they are, and how long they stay.',
  },
  { to: '/settings/audit', name: 'Audit', needed: 'auditor', hint: 'Who did what, from where, and how it ended.' },
  { to: '/settings/about', name: 'About', needed: 'viewer', hint: 'Version, what’s new, and licences.' },
] as const

/** Tabs that the reader's role may open. For admins, the report of one connection is below the list of connections. */
export const useSettingsTabs = () => {
  const refusals = { viewer: null, auditor: useRefusal('auditor'), admin: useRefusal('admin') }
  return pages.filter(
    ({ to, needed }) => refusals[needed] === null && (to !== '/settings/connection' || refusals.admin !== null),
  )
}

const SettingsNavigation = ({ current }: { current: string | undefined }) => {
  const tabs = useSettingsTabs()
  const hasNews = useHasUnreadNews(useStatus().data?.version)
  return (
    <Tabs label="Settings">
      {tabs.map(({ to, name }) => (
        <NavLink
          key={to}
          to={to}
          within={to === '/settings/connections' && current === '/settings/connection' ? current : to}
          className={tabClass}
        >
          {name}
          {to === '/settings/about' && hasNews && <NewsDot />}
        </NavLink>
      ))}
    </Tabs>
  )
}

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
