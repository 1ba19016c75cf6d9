import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#app/app.tsx'
import { loadAhead, reloadForNewBuild } from '#app/new-build.ts'
import '#app/styles/main.css'
import { takeOverSession } from '#lib/own-address.ts'
import { permissions } from '#lib/permissions.ts'
import { lastVisitor } from '#lib/visitor.ts'

/** Leaves the network to the first page. */
const loadAheadMs = 8000

/** Escapes `$` in the address, which the router would take for a parameter. */
const escapeDollars = () => {
  const { pathname, search, hash } = location
  if (pathname.includes('$')) history.replaceState(history.state, '', pathname.replaceAll('$', '%24') + search + hash)
}

const show = async (root: Element) => {
  reloadForNewBuild()
  escapeDollars()
  await takeOverSession().catch(() => {})
  permissions.set(lastVisitor()?.role ?? null)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  setTimeout(() => void loadAhead(), loadAheadMs)
}

const root = document.querySelector('#root')
if (root) void show(root)
