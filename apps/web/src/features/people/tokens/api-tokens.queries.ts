import type { CreateApiToken } from '@docket/api-types/api-tokens'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, post, remove } from '#lib/api/api.ts'

/** All API tokens. */
export const tokensQuery = queryOptions({
  queryKey: ['api-tokens'],
  queryFn: ({ signal }) => get('/api/tokens', { signal }),
  refetchInterval: 30_000,
})

const useWrite = <In, Out>(write: (input: In) => Promise<Out>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    // Not cached: the response contains the token, which must disappear with the dialog.
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  })
}

/** Creates a token; only this response holds it. */
export const useCreateToken = () => useWrite((body: CreateApiToken) => post('/api/tokens', { body }))

/** Makes the sender the owner of a token. */
export const useHandOver = () =>
  useWrite((tokenId: string) => post('/api/tokens/{tokenId}/hand-over', { params: { tokenId } }))

/** Ends a token at once. */
export const useRevokeToken = () =>
  useWrite((tokenId: string) => remove('/api/tokens/{tokenId}', { params: { tokenId } }))
