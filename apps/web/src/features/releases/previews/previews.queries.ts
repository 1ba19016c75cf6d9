import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ApiError } from '#lib/api/api-error.ts'
import { get, post, remove } from '#lib/api/api.ts'
import { readOnce } from '#ui/live/read-once.ts'

/** Opens a preview once for each `attempt`; its address works once, so it is never read again. */
export const openPreviewQuery = (exportId: string, path: string, attempt: string) =>
  queryOptions({
    queryKey: ['previews', 'open', exportId, attempt],
    queryFn: () => post('/api/static-exports/{exportId}/artifact/previews', { params: { exportId }, body: { path } }),
    ...readOnce,
  })

export const hasPreviewEnded = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found'

export const previewReportQuery = (exportId: string, previewId: string | undefined, paused: boolean) =>
  queryOptions({
    queryKey: ['previews', 'report', exportId, previewId],
    queryFn: ({ signal }) =>
      get('/api/static-exports/{exportId}/artifact/previews/{previewId}', {
        params: { exportId, previewId: previewId! },
        signal,
      }),
    enabled: previewId !== undefined,
    retry: false,
    refetchInterval: ({ state }) => (paused || hasPreviewEnded(state.error) ? false : 3_000),
  })

export const pageSearchQuery = (exportId: string, text: string) =>
  queryOptions({
    queryKey: ['previews', 'pages', exportId, text],
    queryFn: ({ signal }) =>
      get('/api/static-exports/{exportId}/artifact/pages', {
        params: { exportId },
        query: { q: text.slice(0, 200), limit: 20 },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

/** Ends a preview. It ends by itself later if this fails. */
export const closePreview = (exportId: string, previewId: string): void => {
  remove('/api/static-exports/{exportId}/artifact/previews/{previewId}', { params: { exportId, previewId } }).catch(
    () => {},
  )
}
