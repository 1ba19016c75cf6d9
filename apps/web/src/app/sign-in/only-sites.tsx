import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation } from '@tanstack/react-router'
import { Suspense, useSyncExternalStore, type ReactNode } from 'react'
import { ConnectivityProvider } from '#app/frame/connectivity-provider.tsx'
import { Logo } from '#app/frame/logo.tsx'
import { ThemeSwitch } from '#app/theme/theme-switch.tsx'
import { useTabTitle } from '#app/titles/page-title.ts'
import { signOut } from '#features/people/accounts/sign-out.ts'
import { sitesQuery } from '#features/releases/sites/sites.queries.ts'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { ReadState } from '#ui/layout/page.tsx'
import { HelpLink } from '#ui/links/help-link.tsx'
import { Link } from '#ui/links/link.tsx'
import { usePaused } from '#ui/live/ticking.tsx'
import { LiveRegion } from '#ui/messages/live-region.tsx'
import { toasts } from '#ui/messages/toast.ts'
import { lazyWithPreload } from '#ui/overlays/lazy.tsx'

const Toaster = lazyWithPreload(async () => (await import('#ui/messages/toaster.tsx')).Toaster)

const SitesFrame = ({ children }: { children: ReactNode }) => {
  useTabTitle()
  const hasMessages = useSyncExternalStore(toasts.subscribe, toasts.get).length > 0
  return (
    <ConnectivityProvider>
      <header className="flex h-12 items-center justify-between gap-3 border-b border-line bg-sunken px-4 sm:px-6">
        <Link to="/" className="flex items-center gap-2 text-lg font-semibold tracking-tight">
          <Logo className="size-5" />
          Docket
        </Link>
        <span className="flex items-center gap-2">
          <HelpLink page="" className={buttonClass({ variant: 'quiet' })}>
            Help
          </HelpLink>
          <ThemeSwitch />
          <Button onClick={signOut}>Sign out</Button>
        </span>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-6xl px-4 py-6 outline-none sm:px-6">
        {children}
      </main>
      <Suspense>{hasMessages && <Toaster />}</Suspense>
      <LiveRegion />
    </ConnectivityProvider>
  )
}

/** Docket for a user with rights for sites only: just the pages of sites. Shows `otherwise` to a user without any rights. */
export const OnlySites = ({ children, otherwise }: { children: ReactNode; otherwise: ReactNode }) => {
  const query = useQuery(sitesQuery(usePaused()))
  const { data } = query
  const isSites = useLocation({ select: ({ pathname }) => /^\/(sites\/.*)?$/.test(pathname) })
  if (!data) return <ReadState query={query} />
  if (data.sites.length === 0) return otherwise
  return isSites ? <SitesFrame>{children}</SitesFrame> : <Navigate to="/" replace />
}
