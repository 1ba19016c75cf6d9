import type { CreateApiToken } from '@docket/api-types/tokens'
import { queryOptions } from '@tanstack/react-query'
import { get, post, remove } from '#lib/api/api.ts'
import { useWrite } from '#ui/live/use-write.ts'

export const tokensQuery = queryOptions({
  queryKey: ['api-tokens'],
  queryFn: ({ signal }) => get('/api/tokens', { signal }),
  refetchInterval: 30_000,
})

/** Creates a token; only this response holds it. */
export const useCreateToken = () =>
  useWrite(
    ['api-tokens'],
    (body: CreateApiToken) => post('/api/tokens', { body }),
    // Not cached: the response contains the token, which must disappear with the dialog.
    { gcTime: 0 },
  )

export const useHandOverToken = () =>
  useWrite(['api-tokens'], (tokenId: string) => post('/api/tokens/{tokenId}/hand-over', { params: { tokenId } }))

export const useRevokeToken = () =>
  useWrite(['api-tokens'], (tokenId: string) => remove('/api/tokens/{tokenId}', { params: { tokenId } }))
