import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation } from '@tanstack/react-router'
import { Suspense, useEffect, useSyncExternalStore, type ReactNode } from 'react'
import { signOut } from '#features/people/accounts/sign-out.ts'
import { sitesQuery } from '#features/releases/sites/sites.queries.ts'
import { lazyLater } from '#ui/overlays/lazy.tsx'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { HelpLink } from '#ui/links/help-link.tsx'
import { Link } from '#ui/links/link.tsx'
import { LiveRegion } from '#ui/messages/live-region.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { toasts } from '#ui/messages/toast.ts'
import { usePaused } from '#ui/live/use-paused.ts'
import { ConnectivityProvider } from '#app/frame/connectivity-provider.tsx'
import { Logo } from '#app/frame/logo.tsx'
import { recordTitle } from '#app/titles/page-title.ts'
import { ThemeSwitch } from '#app/theme/theme-switch.tsx'
import { usePage } from '#app/address/use-page.ts'

const Toaster = lazyLater(async () => (await import('#ui/messages/toaster.tsx')).Toaster)

const useTitle = () => {
  const { title } = usePage()
  const record = useSyncExternalStore(recordTitle.subscribe, recordTitle.get)
  useEffect(() => {
    document.title = `${record ?? title} · Docket`
  }, [record, title])
}

const SitesFrame = ({ children }: { children: ReactNode }) => {
  useTitle()
  const hasMessages = useSyncExternalStore(toasts.subscribe, toasts.get).length > 0
  return (
    <ConnectivityProvider>
      <header className="flex h-12 items-center justify-between gap-3 border-b border-line bg-sunken px-4 sm:px-6">
        <Link to="/sites" className="flex items-center gap-2 text-lg font-semibold tracking-tight">
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

/** Docket for somebody who has rights for sites only: nothing but their pages. `otherwise` for somebody without any. */
export const OnlySites = ({ children, otherwise }: { children: ReactNode; otherwise: ReactNode }) => {
  const { data, error, refetch } = useQuery(sitesQuery(usePaused()))
  const isSites = useLocation({ select: ({ pathname }) => /^\/sites(\/|$)/.test(pathname) })
  if (!data) return error && <StaleNotice error={error} dataUpdatedAt={0} onRetry={() => void refetch()} />
  if (data.sites.length === 0) return otherwise
  return isSites ? <SitesFrame>{children}</SitesFrame> : <Navigate to="/sites" replace />
}
