import { router } from '#app/routes.tsx'
import { readStored, writeStored } from '#lib/state/storage.ts'

let loadingAhead = false

/** Loads every page, so that they open at once, even while the server is down. */
export const loadAhead = async (): Promise<void> => {
  loadingAhead = true
  const load = async (route: Parameters<typeof router.loadRouteChunk>[0]) => router.loadRouteChunk(route)
  await Promise.allSettled(Object.values(router.routesById).map(load))
  loadingAhead = false
}

/** Address of the script that runs in this tab; another build has another one. */
const thisBuild = import.meta.url

/** Reloads the tab when a part of its build cannot be loaded. Never twice for one build, and not while the server is down. */
const reloadOnce = async (): Promise<void> => {
  // Nobody waits for a page that is loaded ahead.
  if (loadingAhead || readStored('session', 'reloaded') === thisBuild) return
  const response = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } }).catch(() => null)
  if (response?.ok !== true) return
  writeStored('session', 'reloaded', thisBuild)
  // Where nothing can be stored, the tab would reload for ever.
  if (readStored('session', 'reloaded') === thisBuild) location.reload()
}

/** Lets a tab of an older build find the new one by itself. */
export const reloadForNewBuild = (): void =>
  window.addEventListener('vite:preloadError', () => {
    void reloadOnce()
  })
