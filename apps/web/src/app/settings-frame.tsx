import type { Role } from '@docket/api-types/session'
import type { ReactNode } from 'react'
import { NavLink } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { useRefusal } from '#ui/use-refusal.ts'

const pages: readonly { to: string; name: string; adminOnly: boolean }[] = [
  { to: '/settings/connection', name: 'Connection', adminOnly: false },
  { to: '/settings/account', name: 'Account', adminOnly: false },
  { to: '/settings/people', name: 'People', adminOnly: true },
  { to: '/settings/tokens', name: 'API tokens', adminOnly: true },
  { to: '/settings/audit', name: 'Audit', adminOnly: true },
]

const SettingsNavigation = () => {
  const isAdmin = useRefusal('admin') === null
  return (
    <nav
      aria-label="Settings"
      className="-mx-4 mb-5 flex overflow-x-auto border-b border-line px-2 sm:mx-0 sm:gap-1 sm:px-0"
    >
      {pages
        .filter(({ adminOnly }) => isAdmin || !adminOnly)
        .map(({ to, name }) => (
          <NavLink
            key={to}
            href={to}
            className="-mb-px flex h-9 shrink-0 items-center border-b-2 border-transparent px-2 text-sm font-medium text-muted hover:text-text focus-visible:outline-offset-[-2px] aria-[current=page]:border-accent aria-[current=page]:text-text sm:px-3"
          >
            {name}
          </NavLink>
        ))}
    </nav>
  )
}

/**
 * What every page of the settings stands in: the heading, one line about the page, and the way to the others. With `needed` the page is
 * shown to people of that role only; others are told so.
 */
export const SettingsFrame = ({
  hint,
  needed = 'viewer',
  children,
}: {
  hint: string
  needed?: Role
  children: ReactNode
}) => {
  const refusal = useRefusal(needed)
  return (
    <>
      <PageHeader title="Settings">{hint}</PageHeader>
      <SettingsNavigation />
      {refusal === null ? children : <Notice tone="idle">{refusal}</Notice>}
    </>
  )
}
