import type { ChangeView, SavedView, SaveView } from '@docket/api-types/saved-views'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, patch, post, remove } from '#lib/api/api.ts'

/** The reader's own views of all lists, by name. */
export const savedViewsQuery = queryOptions({
  queryKey: ['saved-views'],
  queryFn: ({ signal }) => get('/api/views', { signal }),
  staleTime: 60_000,
})

const useWrite = <In, Out>(write: (input: In) => Promise<Out>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSettled: () => client.invalidateQueries({ queryKey: savedViewsQuery.queryKey }),
  })
}

/** Saves filters and order of a list under a name. */
export const useSaveView = () => useWrite((body: SaveView) => post('/api/views', { body }))

/** Renames a view, or replaces its query. */
export const useChangeView = () =>
  useWrite(({ viewId, ...body }: ChangeView & Pick<SavedView, 'viewId'>) =>
    patch('/api/views/{viewId}', { params: { viewId }, body }),
  )

/** Deletes a view. */
export const useDeleteView = () =>
  useWrite(({ viewId }: SavedView) => remove('/api/views/{viewId}', { params: { viewId } }))
