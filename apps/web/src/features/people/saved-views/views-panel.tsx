import type { SavedView, SavedViewList } from '@docket/api-types/saved-views'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { ListSearch } from '#lib/address/list-search.ts'
import { Button } from '#ui/buttons/button.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { savedViewsQuery, useSaveView } from './saved-views.queries.ts'
import { ViewNameForm } from './view-name-form.tsx'
import { ViewRow } from './view-row.tsx'
import { toViewQuery } from './view-search.ts'

type ViewsPanelProps = {
  list: SavedViewList
  search: ListSearch
  /** Undefined until they are loaded. */
  views: readonly SavedView[] | undefined
  current: SavedView | undefined
  hide: () => void
}

const explainNoSave = (query: string, current: SavedView | undefined): string | null => {
  if (query === '') return 'Filter or sort the list first.'
  return current ? `You saved this view as “${current.name}”.` : null
}

/** Saved views of a list as links, and the form that saves another one. */
export const ViewsPanel = ({ list, search, views, current, hide }: ViewsPanelProps) => {
  const { error, dataUpdatedAt, refetch } = useQuery(savedViewsQuery)
  const save = useSaveView()
  const [naming, setNaming] = useState(false)
  const [wasNaming, setWasNaming] = useState(false)
  const query = toViewQuery(search)
  const stop = () => {
    setNaming(false)
    setWasNaming(true)
    save.reset()
  }
  return (
    <>
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {views === undefined && !error && <Skeleton className="m-2 h-16" />}
      {views && views.length > 0 && (
        <ul aria-label="Saved views">
          {views.map((view) => (
            <ViewRow key={view.viewId} {...{ view, query, hide }} isCurrent={view === current} />
          ))}
        </ul>
      )}
      {views?.length === 0 && !naming && <p className="px-2.5 py-2 text-sm text-muted">No saved views yet.</p>}
      {naming ? (
        <ViewNameForm
          error={save.error}
          busy={save.isPending}
          onSave={(name) => save.mutate({ list, name, query }, { onSuccess: stop })}
          onCancel={stop}
        />
      ) : (
        <div className="mt-1 border-t border-line pt-1">
          <Button
            variant="quiet"
            autoFocus={wasNaming}
            className="w-full justify-start px-2.5"
            refused={explainNoSave(query, current)}
            onClick={() => setNaming(true)}
          >
            <Plus className="size-4" aria-hidden="true" />
            Save this view…
          </Button>
        </div>
      )}
    </>
  )
}
