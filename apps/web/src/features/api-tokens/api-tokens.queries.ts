import type { CreateApiToken } from '@docket/api-types/api-tokens'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, post, remove } from '#lib/api.ts'

/** Every API token. Read when it is shown and after every change; what changes by itself is when one was last used. */
export const tokensQuery = queryOptions({
  queryKey: ['api-tokens'],
  queryFn: ({ signal }) => get('/api/tokens', { signal }),
  refetchInterval: 30_000,
})

const useWrite = <In, Out>(write: (input: In) => Promise<Out>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    // The answer of a creation holds the token: it goes with the dialog that shows it.
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  })
}

/** Makes a token; its answer is the only one that holds it. */
export const useCreateToken = () => useWrite((body: CreateApiToken) => post('/api/tokens', { body }))

/** Ends a token at once. */
export const useRevokeToken = () =>
  useWrite((tokenId: string) => remove('/api/tokens/{tokenId}', { params: { tokenId } }))
