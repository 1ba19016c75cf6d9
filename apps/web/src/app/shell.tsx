import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { ConnectionBanner } from '#features/connection/connection-banner.tsx'
import { StartExports } from '#features/static-exports/start/start-context.tsx'
import { LiveRegion } from '#ui/live-region.tsx'
import { OutsideAddress } from '#ui/outside-address.ts'
import { Toaster } from '#ui/toaster.tsx'
import { ActivityPopover, toggleActivity } from './activity/activity-popover.tsx'
import { useNotifications } from './activity/notifications.ts'
import { BottomBar } from './bottom-bar.tsx'
import { useCodeHostAddress } from './code-host-address.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { Outlet, usePathname } from './outlet.tsx'
import { PausedNotice } from './paused-notice.tsx'
import { usePageSignals } from './page-signals.ts'
import { routeAt } from './routes.tsx'
import { useShortcuts } from './shortcuts.ts'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'

const Palette = lazy(() => import('./palette.tsx').then((module) => ({ default: module.Palette })))

/** Tells people who do not see the page that it changed: the focus moves to the start of the new one. */
const useFocusOnNavigation = (pathname: string) => {
  const main = useRef<HTMLElement>(null)
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    // A key like `n` may have moved the focus into the new page already.
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}

/** What surrounds every page: navigation, connection, messages, keys. */
export const Shell = () => {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  const pathname = usePathname()
  const main = useFocusOnNavigation(pathname)
  const close = () => setOpen(null)
  usePageSignals(routeAt(pathname)?.title ?? 'Not found')
  useNotifications()
  useShortcuts({ palette: () => setOpen('palette'), keys: () => setOpen('keys'), activity: toggleActivity })
  return (
    <StartExports>
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <div className="lg:grid lg:min-h-dvh lg:grid-cols-[14.5rem_minmax(0,1fr)]">
        <Sidebar onPalette={() => setOpen('palette')} onKeys={() => setOpen('keys')} />
        <TopBar />
        <ActivityPopover pathname={pathname} />
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-6xl px-4 pt-5 pb-28 outline-none sm:px-6 lg:px-10 lg:pt-9 lg:pb-16"
        >
          <div className="mb-5 grid gap-2 empty:hidden">
            <ConnectionBanner />
            <PausedNotice />
          </div>
          <OutsideAddress value={useCodeHostAddress()}>
            <Outlet pathname={pathname} />
          </OutsideAddress>
        </main>
        <BottomBar />
      </div>
      <KeysDialog open={open === 'keys'} onClose={close} />
      {open === 'palette' && (
        <Suspense>
          <Palette onClose={close} onKeys={() => setOpen('keys')} />
        </Suspense>
      )}
      <Toaster />
      <LiveRegion />
    </StartExports>
  )
}
