import type { AddCodeHost, CodeHostCheck } from '@docket/api-types/connection-code-hosts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { patch, post, remove } from '#lib/api/api.ts'
import { useRemoval } from '#ui/overlays/use-removal.ts'

type Key = { connectionId: string; codeHostId: string }

const path = '/api/connections/{connectionId}/code-hosts/{codeHostId}'

const useWrite = <In, Out>(write: (input: In) => Promise<Out>) => {
  const client = useQueryClient()
  const again = () => client.invalidateQueries({ queryKey: ['connections'] })
  return useMutation({ mutationFn: write, onSettled: again })
}

/** Adds a code host with its token. */
export const useAddCodeHost = (connectionId: string) =>
  useWrite((body: AddCodeHost) =>
    post('/api/connections/{connectionId}/code-hosts', { params: { connectionId }, body }),
  )

/** Replaces the token of a code host. */
export const useReplaceToken = (params: Key) => useWrite((token: string) => patch(path, { params, body: { token } }))

/** Removes a code host and its token. */
export const useRemoveCodeHost = (params: Key) => useRemoval(['connections'], () => remove(path, { params }))

/** Tests a token with one call. */
export const useTestToken = (params: Key) => useWrite((): Promise<CodeHostCheck> => post(`${path}/check`, { params }))
