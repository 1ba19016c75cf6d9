import { lazy, Suspense } from 'react'
import type { ViewsMenuProps } from './view-search.ts'

const ViewsButton = lazy(() => import('./views-button.tsx').then((module) => ({ default: module.ViewsButton })))

/** Menu of the saved views of a list. Keeps its place until it is loaded, which the list does not wait for. */
export const ViewsMenu = (props: ViewsMenuProps) => (
  <Suspense fallback={<span className="h-8 w-10 sm:w-21" />}>
    <ViewsButton {...props} />
  </Suspense>
)
