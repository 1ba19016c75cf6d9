import type { AddCodeHost, CodeHostCheck } from '@docket/api-types/connection-code-hosts'
import { patch, post, remove } from '#lib/api/api.ts'
import { useWrite } from '#ui/live/use-write.ts'

type Key = { connectionId: string; codeHostId: string }

const path = '/api/connections/{connectionId}/code-hosts/{codeHostId}'

export const useAddCodeHost = (connectionId: string) =>
  useWrite(['connections'], (body: AddCodeHost) =>
    post('/api/connections/{connectionId}/code-hosts', { params: { connectionId }, body }),
  )

export const useReplaceToken = (params: Key) =>
  useWrite(['connections'], (token: string) => patch(path, { params, body: { token } }))

export const useRemoveCodeHost = (params: Key) => useWrite(['connections'], () => remove(path, { params }))

export const useTestToken = (params: Key) =>
  useWrite(['connections'], (): Promise<CodeHostCheck> => post(`${path}/check`, { params }))
