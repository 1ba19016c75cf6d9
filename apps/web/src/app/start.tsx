import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionQuery } from '#features/people/accounts/session.queries.ts'
import { statusQuery } from '#features/service/connections/connection.queries.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { dropPreloaded } from '#lib/api/preloaded.ts'
import { permissions } from '#lib/people/permissions.ts'
import { readLastVisitor } from '#lib/people/visitor.ts'
import { readStored, writeStored } from '#lib/state/store.ts'
import { tolerateTranslators } from '#lib/translated-page.ts'
import { hideReason } from '#ui/overlays/reason.ts'
import { router } from './routes.tsx'

let loadingAhead = false

/** Preloads every page, so that each opens at once, even while the server is down. */
const preloadPages = async (): Promise<void> => {
  loadingAhead = true
  const load = async (route: Parameters<typeof router.loadRouteChunk>[0]) => router.loadRouteChunk(route)
  await Promise.allSettled(Object.values(router.routesById).map(load))
  loadingAhead = false
}

/** Address of the script that runs in this tab; another build has another one. */
const thisBuild = import.meta.url

/** Reloads the tab when a file of its build cannot be loaded; at most once per build, and not while the server is down. */
const reloadOncePerBuild = async (): Promise<void> => {
  // A failed preload needs no reload.
  if (loadingAhead || readStored('session', 'reloaded') === thisBuild) return
  const response = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } }).catch(() => null)
  if (response?.ok !== true) return
  writeStored('session', 'reloaded', thisBuild)
  // Without storage, the tab would reload forever.
  if (readStored('session', 'reloaded') === thisBuild) location.reload()
}

/** Lets a tab of an older build load the new build by itself. */
const reloadForNewBuild = (): void =>
  window.addEventListener('vite:preloadError', () => {
    void reloadOncePerBuild()
  })

/** Retries unanswered reads once; never retries commands. */
const client = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 1 && error instanceof ApiError && error.code === 'no_answer',
      retryDelay: 500,
      refetchOnWindowFocus: 'always',
      refetchIntervalInBackground: false,
      // The browser's guess about the network says nothing about a server on the same machine.
      networkMode: 'always',
      staleTime: 1000,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

const prefetchSessionAndStatus = async (): Promise<void> => {
  const { person } = await client.fetchQuery(sessionQuery)
  if (person) await client.prefetchQuery(statusQuery(false))
}

const App = () => (
  <QueryClientProvider client={client}>
    <RouterProvider router={router} />
  </QueryClientProvider>
)

/** Delay that leaves the network to the first page. Milliseconds. */
const loadAheadMs = 8000

/** Escapes `$` in the address, which the router would take for a parameter. */
const escapeDollars = () => {
  const { pathname, search, hash } = location
  if (pathname.includes('$')) history.replaceState(history.state, '', pathname.replaceAll('$', '%24') + search + hash)
}

const takeOverHandedSession = async () => (await import('#lib/address/move-address.ts')).takeOverSession()

export const start = async (root: Element) => {
  reloadForNewBuild()
  escapeDollars()
  tolerateTranslators(root)
  router.history.subscribe(() => {
    hideReason()
    dropPreloaded()
  })
  if (location.hash.startsWith('#handover=')) await takeOverHandedSession().catch(() => {})
  prefetchSessionAndStatus().catch(() => {})
  permissions.set(readLastVisitor()?.role ?? null)
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
  setTimeout(() => void preloadPages(), loadAheadMs)
}
