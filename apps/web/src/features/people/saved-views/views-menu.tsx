import type { SavedViewList } from '@docket/api-types/saved-views'
import { lazy, Suspense } from 'react'
import type { ListSearch } from '#lib/address/list-search.ts'

const ViewsButton = lazy(() => import('./views-button.tsx').then((module) => ({ default: module.ViewsButton })))

export type ViewsMenuProps = { list: SavedViewList; search: ListSearch }

/** Menu of the saved views of a list. Keeps its place until it is loaded, which the list does not wait for. */
export const ViewsMenu = (props: ViewsMenuProps) => (
  <Suspense fallback={<span className="h-8 w-10 sm:w-21" />}>
    <ViewsButton {...props} />
  </Suspense>
)
