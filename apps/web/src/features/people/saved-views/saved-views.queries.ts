import type { ChangeView, SavedView, SaveView } from '@docket/api-types/saved-views'
import { queryOptions } from '@tanstack/react-query'
import { get, patch, post, remove } from '#lib/api/api.ts'
import { useWrite } from '#ui/live/use-write.ts'

export const savedViewsQuery = queryOptions({
  queryKey: ['saved-views'],
  queryFn: ({ signal }) => get('/api/views', { signal }),
  staleTime: 60_000,
})

export const useSaveView = () => useWrite(['saved-views'], (body: SaveView) => post('/api/views', { body }))

export const useChangeView = () =>
  useWrite(['saved-views'], ({ viewId, ...body }: ChangeView & Pick<SavedView, 'viewId'>) =>
    patch('/api/views/{viewId}', { params: { viewId }, body }),
  )

export const useDeleteView = () =>
  useWrite(['saved-views'], ({ viewId }: Pick<SavedView, 'viewId'>) =>
    remove('/api/views/{viewId}', { params: { viewId } }),
  )
