import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { permissions } from '#lib/people/permissions.ts'
import { lastVisitor } from '#lib/people/visitor.ts'
import { App, readAhead } from './app.tsx'
import { loadAhead, reloadForNewBuild } from './new-build.ts'

/** Leaves the network to the first page. */
const loadAheadMs = 8000

/** Escapes `$` in the address, which the router would take for a parameter. */
const escapeDollars = () => {
  const { pathname, search, hash } = location
  if (pathname.includes('$')) history.replaceState(history.state, '', pathname.replaceAll('$', '%24') + search + hash)
}

const takeOver = async () => (await import('#lib/address/move-address.ts')).takeOverSession()

/** Mounts the app. */
export const start = async (root: Element) => {
  reloadForNewBuild()
  escapeDollars()
  if (location.hash.startsWith('#handover=')) await takeOver().catch(() => {})
  readAhead().catch(() => {})
  permissions.set(lastVisitor()?.role ?? null)
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
  setTimeout(() => void loadAhead(), loadAheadMs)
}
