import { useQuery } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { buttonClass } from '#ui/buttons/button.tsx'
import { Skeleton } from '#ui/layout/page.tsx'
import { popoverClass, usePlacedPopover } from '#ui/overlays/use-placed-popover.ts'
import { savedViewsQuery } from './saved-views.queries.ts'
import { findView, type ViewsMenuProps } from './view-search.ts'

const ViewsPanel = lazy(() => import('./views-panel.tsx').then((module) => ({ default: module.ViewsPanel })))

export const ViewsButton = ({ list, search, place }: ViewsMenuProps) => {
  const { open, hide, triggerProps, popoverProps } = usePlacedPopover()
  const { data } = useQuery(savedViewsQuery)
  const views = data?.items.filter((view) => view.list === list)
  const current = findView(views ?? [], search)
  const isEmpty = (views ?? []).length === 0
  // The panel stays open when its last view goes.
  if (isEmpty !== (place === 'folded') && !(open && place === 'bar')) return null
  return (
    <>
      <button
        {...triggerProps}
        aria-haspopup="dialog"
        aria-label={current ? `Views: ${current.name}` : 'Views'}
        className={buttonClass()}
      >
        <Bookmark className="size-3.5 shrink-0" aria-hidden="true" />
        <bdi className={`max-w-32 truncate ${current ? '' : 'max-sm:hidden'}`}>{current?.name ?? 'Views'}</bdi>
      </button>
      {open && (
        <div
          {...popoverProps}
          role="dialog"
          aria-label="Saved views"
          className={`${popoverClass} max-h-[calc(100dvh-1rem)] w-80 max-w-[calc(100vw-1rem)] overflow-y-auto p-1`}
        >
          <Suspense fallback={<Skeleton className="m-2 h-16" />}>
            <ViewsPanel {...{ list, search, views, current, hide }} />
          </Suspense>
        </div>
      )}
    </>
  )
}
