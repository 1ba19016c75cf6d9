import { lazy, Suspense } from 'react'
import type { ViewsMenuProps } from './view-search.ts'

const ViewsButton = lazy(() => import('./views-button.tsx').then((module) => ({ default: module.ViewsButton })))

/** Menu of the saved views of a list. */
export const ViewsMenu = (props: ViewsMenuProps) => (
  <Suspense>
    <ViewsButton {...props} />
  </Suspense>
)
