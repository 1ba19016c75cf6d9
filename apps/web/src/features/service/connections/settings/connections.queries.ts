import type { ChangeConnection, CreateConnection } from '@docket/api-types/connections'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, patch, post, remove } from '#lib/api/api.ts'
import { useRemoval } from '#ui/overlays/use-removal.ts'

/** Connections with their settings, for admins. */
export const connectionsQuery = queryOptions({
  queryKey: ['connections'],
  queryFn: ({ signal }) => get('/api/connections', { signal }),
  refetchInterval: 15_000,
})

/** What the shell, and every list with its marks and buttons, know of connections. */
const names = ['connections', 'connection', 'status', 'static-exports', 'agent-jobs', 'projects']

const useWrite = <In, Out>(write: (input: In) => Promise<Out>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSettled: () => Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] }))),
  })
}

/** Adds a connection. */
export const useAddConnection = () => useWrite((body: CreateConnection) => post('/api/connections', { body }))

/** Changes, pauses or resumes a connection. */
export const useChangeConnection = () =>
  useWrite(({ connectionId, ...body }: ChangeConnection & { connectionId: string }) =>
    patch('/api/connections/{connectionId}', { params: { connectionId }, body }),
  )

/** Removes a connection; its records stay. */
export const useRemoveConnection = () =>
  useRemoval(names, (connectionId: string) => remove('/api/connections/{connectionId}', { params: { connectionId } }))

/** Tests the key with one call. */
export const useCheckKey = () =>
  useWrite((connectionId: string) => post('/api/connections/{connectionId}/check', { params: { connectionId } }))

/** Moves the records of a connection to another one. */
export const useMoveRecords = () =>
  useWrite(({ connectionId, to }: { connectionId: string; to: string }) =>
    post('/api/connections/{connectionId}/move-records', { params: { connectionId }, body: { to } }),
  )
