import { Outlet, useMatches } from '@tanstack/react-router'
import { useHasUnreadNews } from '#features/overview/about/about.queries.ts'
import { NewsDot } from '#features/overview/about/news-dot.tsx'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { useRefusal } from '#ui/forms/use-refusal.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { tabClass, Tabs } from '#ui/layout/tabs.tsx'
import { NavLink } from '#ui/links/link.tsx'
import { Notice } from '#ui/messages/notice.tsx'

const pages = [
  {
    to: '/settings/connections',
    within: '/settings/connections',
    name: 'Connections',
    needed: 'viewer',
    hint: 'The services Docket calls, and their projects.',
  },
  {
    to: '/settings/people',
    within: '/settings/people /settings/tokens',
    name: 'People and tokens',
    needed: 'admin',
    hint: 'Who can use this Docket, and the tokens of CI and scripts.',
  },
  {
    to: '/settings/storage',
    within: '/settings/storage',
    name: 'Storage and backups',
    needed: 'admin',
    hint: 'The bundles saved in Docket, their sizes, and how long Docket keeps them.',
  },
  {
    to: '/settings/audit',
    within: '/settings/audit',
    name: 'Audit',
    needed: 'auditor',
    hint: 'Who did what, from where, and how it ended.',
  },
  {
    to: '/settings/about',
    within: '/settings/about',
    name: 'About',
    needed: 'viewer',
    hint: 'Version, what’s new, and licences.',
  },
] as const

/** Tabs that the reader's role may open. */
export const useSettingsTabs = () => {
  const refusals = { viewer: null, auditor: useRefusal('auditor'), admin: useRefusal('admin') }
  return pages.filter(({ needed }) => refusals[needed] === null)
}

const SettingsNavigation = () => {
  const tabs = useSettingsTabs()
  const hasNews = useHasUnreadNews(useStatus().data?.version)
  return (
    <Tabs label="Settings">
      {tabs.map(({ to, within, name }) => (
        <NavLink key={to} to={to} within={within} className={tabClass}>
          {name}
          {to === '/settings/about' && hasNews && <NewsDot />}
        </NavLink>
      ))}
    </Tabs>
  )
}

export const SettingsFrame = () => {
  const current = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' })
  const { hint, needed } = pages.find(({ within }) => within.split(' ').includes(current)) ?? pages[0]
  const refusal = useRefusal(needed)
  return (
    <>
      <PageHeader title="Settings">{hint}</PageHeader>
      <SettingsNavigation />
      <div className="max-w-4xl">{refusal === null ? <Outlet /> : <Notice tone="idle">{refusal}</Notice>}</div>
    </>
  )
}
