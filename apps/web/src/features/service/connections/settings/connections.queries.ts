import type { AddCodeHost, CodeHostCheck } from '@docket/api-types/connection-code-hosts'
import type { ChangeConnection, CreateConnection } from '@docket/api-types/connections'
import { queryOptions } from '@tanstack/react-query'
import { get, patch, post, remove } from '#lib/api/api.ts'
import { useWrite } from '#ui/live/use-write.ts'

export const connectionsQuery = queryOptions({
  queryKey: ['connections'],
  queryFn: ({ signal }) => get('/api/connections', { signal }),
  refetchInterval: 15_000,
})

/** Queries that contain data about connections: the shell's, and those of every list. Paused and removed ones have no report to read again. */
const keys = ['connections', 'status', 'static-exports', 'agent-jobs', 'projects']

export const useAddConnection = () => useWrite(keys, (body: CreateConnection) => post('/api/connections', { body }))

export const useChangeConnection = () =>
  useWrite(keys, ({ connectionId, ...body }: ChangeConnection & { connectionId: string }) =>
    patch('/api/connections/{connectionId}', { params: { connectionId }, body }),
  )

/** What a move of records would take along. */
export const recordMoveQuery = (connectionId: string, to: string) =>
  queryOptions({
    queryKey: ['connections', connectionId, to],
    queryFn: ({ signal }) =>
      get('/api/connections/{connectionId}/move-records', { params: { connectionId }, query: { to }, signal }),
  })

/** Removes a connection; its records stay. */
export const useRemoveConnection = () =>
  useWrite(keys, (connectionId: string) => remove('/api/connections/{connectionId}', { params: { connectionId } }))

export const useCheckKey = () =>
  useWrite(keys, (connectionId: string) => post('/api/connections/{connectionId}/check', { params: { connectionId } }))

export const useMoveRecords = () =>
  useWrite(keys, ({ connectionId, to }: { connectionId: string; to: string }) =>
    post('/api/connections/{connectionId}/move-records', { params: { connectionId }, body: { to } }),
  )

type CodeHostKey = { connectionId: string; codeHostId: string }

const codeHostPath = '/api/connections/{connectionId}/code-hosts/{codeHostId}'

export const useAddCodeHost = (connectionId: string) =>
  useWrite(['connections'], (body: AddCodeHost) =>
    post('/api/connections/{connectionId}/code-hosts', { params: { connectionId }, body }),
  )

export const useReplaceToken = (params: CodeHostKey) =>
  useWrite(['connections'], (token: string) => patch(codeHostPath, { params, body: { token } }))

export const useRemoveCodeHost = (params: CodeHostKey) =>
  useWrite(['connections'], () => remove(codeHostPath, { params }))

export const useTestToken = (params: CodeHostKey) =>
  useWrite(['connections'], (): Promise<CodeHostCheck> => post(`${codeHostPath}/check`, { params }))
