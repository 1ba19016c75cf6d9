import type { RecordKey } from '@docket/api-types/history'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { Suspense, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { ActivityButton } from '#app/activity/activity-button.tsx'
import { ActivityPopover, toggleActivity } from '#app/activity/activity-popover.tsx'
import { notifications } from '#app/activity/notifications.ts'
import { buildRecordLink } from '#app/address/record-link.ts'
import { usePageTitleAndKey } from '#app/address/use-page.ts'
import { useShortcuts } from '#app/keys/shortcuts.ts'
import { recordTitle } from '#app/titles/page-title.ts'
import { WorkloadNotice } from '#features/overview/workload/workload-notice.tsx'
import { DiskNotice } from '#features/process/disks/disk-notice.tsx'
import { NewExportHost } from '#features/records/static-exports/start/new-export.tsx'
import { StartExports } from '#features/records/static-exports/start/start-context.tsx'
import { ConnectionBanner } from '#features/service/connections/connection-banner.tsx'
import { labelConnection } from '#features/service/connections/connection-state.ts'
import { useLocalService, useStatus } from '#features/service/connections/connection.queries.ts'
import { TroubleLink } from '#features/service/connections/trouble-link.tsx'
import { isNotSignedIn } from '#lib/api/api-error.ts'
import { currentConnections, explainDown, isActiveConnection } from '#lib/connections/connections.ts'
import { polling } from '#lib/polling/polling.ts'
import { currentWatching } from '#lib/polling/watching.ts'
import { IconButton } from '#ui/buttons/button.tsx'
import { ConnectionSwitcher } from '#ui/connections/connection-switcher.tsx'
import { createMediaHook } from '#ui/layout/use-media.ts'
import { Link, NavLink } from '#ui/links/link.tsx'
import { LiveRegion } from '#ui/messages/live-region.tsx'
import { toasts } from '#ui/messages/toast.ts'
import { lazyDialog, lazyWithPreload } from '#ui/overlays/lazy.tsx'
import { ConnectivityProvider } from './connectivity-provider.tsx'
import { Logo } from './logo.tsx'
import { destinations } from './navigation.tsx'
import { PausedNotice } from './pause-polling.tsx'
import { PersonMenu } from './person-menu.tsx'
import { Sidebar } from './sidebar.tsx'

const chooseIcon = (running: number, trouble: boolean) => {
  if (trouble) return '/favicon-attention.svg'
  return running > 0 ? '/favicon-busy.svg' : '/favicon.svg'
}

/**
 * Shows the page's record, or the number of running records, in the tab's title; the icon shows whether any run. Polls the embedded service
 * faster, because it is local.
 */
const usePageSignals = (title: string): void => {
  const { data, error } = useStatus()
  const running = data ? data.active.staticExports + data.active.agentJobs : 0
  const trouble =
    (error !== null && !isNotSignedIn(error)) ||
    (data?.connections.some((one) => labelConnection(one).trouble) ?? false)
  const active = data?.connections.filter(isActiveConnection)
  const local = active !== undefined && active.length > 0 && active.every(({ kind }) => kind === 'embedded')
  const record = useSyncExternalStore(recordTitle.subscribe, recordTitle.get)
  useEffect(() => {
    const names = record === null ? [running > 0 && `${running} running`, title] : [record]
    document.title = [...names, 'Docket'].filter(Boolean).join(' · ')
  }, [running, title, record])
  useEffect(() => {
    document.querySelector('#favicon')?.setAttribute('href', chooseIcon(running, trouble))
  }, [running, trouble])
  useEffect(() => polling.set({ liveMs: local ? 1000 : 2500 }), [local])
  useEffect(() => {
    if (!data) return
    const first = data.connections.find(isActiveConnection)
    currentWatching.set({ ...data.watching, down: first ? explainDown(first) : null })
    currentConnections.set(data.connections)
  }, [data])
}

/** True while the window has room for the sidebar (`lg` in the styles), so that only one of the two navigations is rendered. */
const useHasSidebarRoom = createMediaHook('(width >= 64rem)')

const BottomBar = () => (
  <nav
    aria-label="Main"
    className="fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-sunken pb-[env(safe-area-inset-bottom)] low:static"
  >
    {destinations.map(({ to, within, name, icon: Icon }) => (
      <NavLink
        key={to}
        to={to}
        within={within}
        className="flex h-14 flex-auto flex-col items-center justify-center gap-0.5 text-center text-[0.6875rem] leading-4 font-medium text-muted aria-[current=page]:text-accent"
      >
        <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
        {name}
      </NavLink>
    ))}
  </nav>
)

const KeysDialog = lazyDialog(async () => (await import('#app/keys/keys-dialog.tsx')).KeysDialog)
const Toaster = lazyWithPreload(async () => (await import('#ui/messages/toaster.tsx')).Toaster)
const Palette = lazyDialog(async () => (await import('#app/palette/palette.tsx')).Palette)

/** Moves the focus to the start of a new page, so that screen readers notice it. */
const useFocusOnNavigation = (page: string) => {
  const main = useRef<HTMLElement>(null)
  const before = useRef(page)
  useEffect(() => {
    if (before.current === page) return
    before.current = page
    // A key such as `n` may already have moved the focus there.
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
  }, [page])
  return main
}

/** True once the status determines the page layout. A browser's first page waits for it, so that nothing moves. */
const useIsLayoutKnown = (): boolean => {
  const local = useLocalService()
  const { isPending } = useStatus()
  return local !== undefined || !isPending
}

const ToasterOnFirstMessage = () => {
  const messages = useSyncExternalStore(toasts.subscribe, toasts.get)
  const [isUsed, setIsUsed] = useState(false)
  if (messages.length > 0 && !isUsed) setIsUsed(true)
  return <Suspense>{isUsed && <Toaster />}</Suspense>
}

const TopBar = ({ onPalette, onKeys }: { onPalette: () => void; onKeys: () => void }) => (
  <header className="sticky top-0 z-20 flex h-12 items-center justify-between gap-3 border-b border-line bg-sunken px-4 low:static">
    <Link to="/" className="flex items-center gap-2 text-lg font-semibold tracking-tight">
      <Logo className="size-5" />
      Docket
    </Link>
    <div className="flex min-w-0 items-center gap-1">
      <TroubleLink compact />
      <IconButton icon={Search} label="Search or run a command" onClick={onPalette} />
      <ActivityButton />
      <PersonMenu compact onKeys={onKeys} />
    </div>
  </header>
)

const useEndingNotifications = (): void => {
  const state = useSyncExternalStore(notifications.subscribe, notifications.get)
  const navigate = useNavigate()
  const open = useEffectEvent((key: RecordKey | null) => void navigate(key ? buildRecordLink(key) : { to: '/' }))
  useEffect(() => {
    if (state !== 'on') return
    const controller = new AbortController()
    void import('#app/activity/notifier.ts').then(({ runNotifier }) =>
      runNotifier((key) => open(key), controller.signal),
    )
    return () => controller.abort()
  }, [state])
}

export const Shell = ({ children }: { children: ReactNode }) => {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  const page = usePageTitleAndKey()
  const main = useFocusOnNavigation(page.key)
  const isWide = useHasSidebarRoom()
  const isLayoutKnown = useIsLayoutKnown()
  const local = useLocalService()
  const close = () => setOpen(null)
  const bar = { onPalette: () => setOpen('palette'), onKeys: () => setOpen('keys') }
  usePageSignals(page.title)
  useEndingNotifications()
  useShortcuts({ palette: () => setOpen('palette'), keys: () => setOpen('keys'), activity: toggleActivity })
  return (
    <ConnectivityProvider>
      <StartExports>
        <a
          href="#main"
          className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          Skip to content
        </a>
        <div className="lg:grid lg:min-h-dvh lg:grid-cols-[14.5rem_minmax(0,1fr)]">
          {isWide ? <Sidebar {...bar} /> : <TopBar {...bar} />}
          <ActivityPopover page={page.key} />
          <main
            ref={main}
            id="main"
            tabIndex={-1}
            className="mx-auto w-full max-w-6xl px-4 pt-5 pb-28 outline-none low:pb-8 sm:px-6 lg:px-10 lg:pt-9 lg:pb-16"
          >
            {!isWide && <ConnectionSwitcher className="-mt-1 mb-4" />}
            {isLayoutKnown && children}
            {/* At the end, and over the page: nothing moves when one comes or goes, and no control stays covered. */}
            <div className="sticky bottom-18 z-5 mt-5 grid gap-2 empty:hidden low:static lg:bottom-4">
              <ConnectionBanner />
              <DiskNotice />
              <WorkloadNotice />
              <PausedNotice />
            </div>
          </main>
          {!isWide && <BottomBar />}
        </div>
        {open === 'keys' && <KeysDialog onClose={close} />}
        {open === 'palette' && <Palette onClose={close} onKeys={() => setOpen('keys')} />}
        <NewExportHost suggestions={local?.domains ?? []} />
        <ToasterOnFirstMessage />
        <LiveRegion />
      </StartExports>
    </ConnectivityProvider>
  )
}
