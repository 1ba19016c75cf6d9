import type { CodeHostAction, CodeHostPull, CodeHostPullState } from '@docket/api-types/code-host'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get, post } from '#lib/api/api.ts'
import { useWrite } from '#ui/live/use-write.ts'

export type PullFilter = CodeHostPullState | 'all'

const root = 'code-host'

export const codeProjectsQuery = queryOptions({
  queryKey: [root],
  queryFn: ({ signal }) => get('/api/code-host', { signal }),
})

/** Pull requests of a project, from a number downwards. */
export const pullsQuery = (projectId: string, { state, before }: { state: PullFilter; before: number | undefined }) =>
  queryOptions({
    queryKey: [root, projectId, 'pulls', state, before],
    queryFn: ({ signal }) =>
      get('/api/code-host/{projectId}', { params: { projectId }, query: { state, before }, signal }),
    placeholderData: keepPreviousData,
  })

export const pullQuery = (projectId: string, number: string) =>
  queryOptions({
    queryKey: [root, projectId, 'pull', number],
    queryFn: ({ signal }) =>
      get('/api/code-host/{projectId}/pulls/{number}', { params: { projectId, number }, signal }),
  })

/** One commit, which never changes. */
export const commitQuery = (projectId: string, hash: string) =>
  queryOptions({
    queryKey: [root, projectId, 'commit', hash],
    queryFn: ({ signal }) => get('/api/code-host/{projectId}/commits/{hash}', { params: { projectId, hash }, signal }),
    staleTime: Infinity,
  })

/** Writes the main branch, at the commit on screen, into the folder of a project. */
export const useUpdateFolder = (projectId: string, main: string) =>
  useWrite([[root, projectId]], () =>
    post('/api/code-host/{projectId}/folder', { params: { projectId }, body: { main } }),
  )

/** Acts on a pull request at the head commit on screen. Also refreshes the lists and the card of its job. */
export const useActOnPull = ({ projectId, number, head }: Pick<CodeHostPull, 'projectId' | 'number' | 'head'>) => {
  const request = { params: { projectId, number: String(number) }, body: { head } }
  return useWrite(
    [root, 'agent-jobs', 'activity'],
    (action: CodeHostAction) => post(`/api/code-host/{projectId}/pulls/{number}/${action}`, request),
    { keep: (client, pull) => client.setQueryData(pullQuery(projectId, String(number)).queryKey, pull) },
  )
}
