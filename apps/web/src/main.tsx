import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#app/app.tsx'
import { loadPage } from '#app/routes.tsx'
import '#app/styles/main.css'
import { currentPlace } from '#lib/location.ts'
import { takeOverSession } from '#lib/own-address.ts'
import { permissions } from '#lib/permissions.ts'
import { lastVisitor } from '#lib/visitor.ts'

const show = async (root: Element) => {
  await takeOverSession().catch(() => {})
  permissions.set(lastVisitor()?.role ?? null)
  await loadPage(currentPlace.get().pathname)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

const root = document.querySelector('#root')
if (root) void show(root)
