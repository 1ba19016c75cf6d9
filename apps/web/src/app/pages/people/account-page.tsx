import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { NotificationSwitch } from '#app/activity/notification-switch.tsx'
import { SingleKeysSwitch } from '#app/keys/single-keys-switch.tsx'
import { ThemeSwitch } from '#app/theme/theme-switch.tsx'
import { PasskeysSection } from '#features/people/accounts/account/passkeys-section.tsx'
import { PasswordSection } from '#features/people/accounts/account/password-section.tsx'
import { ProfileSection } from '#features/people/accounts/account/profile-section.tsx'
import { SecondFactorSection } from '#features/people/accounts/account/second-factor-section.tsx'
import { SessionsSection } from '#features/people/accounts/account/sessions-section.tsx'
import { TimesSection } from '#features/people/accounts/account/times-section.tsx'
import { useSession } from '#features/people/accounts/session.queries.ts'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Skeleton, Panel } from '#ui/layout/page.tsx'

const Choice = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-x-5 gap-y-1 sm:grid sm:grid-cols-[6.5rem_1fr] sm:items-baseline">
    <span className="text-muted">{name}</span>
    <div className="min-w-0">{children}</div>
  </div>
)

const ThisBrowser = () => (
  <Panel title="This browser">
    <div className="space-y-3 text-sm">
      <Choice name="Theme">
        <ThemeSwitch />
      </Choice>
      <Choice name="Keyboard">
        <SingleKeysSwitch />
      </Choice>
      <Choice name="Notifications">
        <NotificationSwitch />
      </Choice>
    </div>
  </Panel>
)

export const AccountPage = () => {
  const person = useSession().data?.person
  const hash = useLocation({ select: (location) => location.hash })
  const connections = useStatus().data?.connections ?? []
  return (
    <div className="max-w-4xl space-y-4">
      <PageHeader title="Account">Your name, role and sign-in methods, and this browser.</PageHeader>
      {!person && <Skeleton className="h-72 w-full" />}
      {person && (
        <>
          <ProfileSection key={`${person.name} ${person.email}`} person={person} connections={connections} />
          <TimesSection person={person} />
          <PasswordSection key={hash} person={person} startOpen={hash === 'password'} />
          <SecondFactorSection person={person} />
          <PasskeysSection person={person} />
          <SessionsSection />
        </>
      )}
      <ThisBrowser />
    </div>
  )
}
