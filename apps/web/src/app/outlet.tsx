import { startTransition, Suspense, useEffect, useState } from 'react'
import { currentPlace } from '#lib/location.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { loadAllPages, routeAt } from './routes.tsx'

/** After the first page has had the network for itself. */
const idleMs = 8000

const pathnameOf = () => currentPlace.get().pathname

/** The path of the page on screen. It changes when the next page is there, so nothing blinks in between. */
export const usePathname = (): string => {
  const [pathname, setPathname] = useState(pathnameOf)
  useEffect(() => {
    const follow = () => startTransition(() => setPathname(pathnameOf()))
    // A page that leads on does so in an effect of its own, which runs before this one.
    follow()
    return currentPlace.subscribe(follow)
  }, [])
  return pathname
}

/** The page that belongs to the address. */
export const Outlet = ({ pathname }: { pathname: string }) => {
  useEffect(() => {
    const timer = setTimeout(loadAllPages, idleMs)
    return () => clearTimeout(timer)
  }, [])
  const route = routeAt(pathname)
  return (
    <ErrorBoundary key={pathname}>
      <Suspense>{route ? <route.Page {...route.params} /> : <NotFoundPage />}</Suspense>
    </ErrorBoundary>
  )
}
