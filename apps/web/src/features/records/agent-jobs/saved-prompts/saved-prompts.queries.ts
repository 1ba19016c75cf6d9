import type { ChangePrompt, RunPrompt, SavedPrompt, SavePrompt } from '@docket/api-types/saved-prompts'
import { queryOptions } from '@tanstack/react-query'
import { jobKeys, toJobId } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { get, patch, post, remove } from '#lib/api/api.ts'
import { addOwnRecord } from '#lib/state/own-records.ts'
import { useWrite } from '#ui/live/use-write.ts'

export const savedPromptsQuery = queryOptions({
  queryKey: ['saved-prompts'],
  queryFn: ({ signal }) => get('/api/saved-prompts', { signal }),
  refetchOnWindowFocus: true,
})

export const useSavePrompt = () =>
  useWrite(['saved-prompts'], (body: SavePrompt) => post('/api/saved-prompts', { body }))

/** Changes a prompt. Fails if another user changed it meanwhile. */
export const useChangePrompt = () =>
  useWrite(['saved-prompts'], ({ promptId, ...body }: ChangePrompt & Pick<SavedPrompt, 'promptId'>) =>
    patch('/api/saved-prompts/{promptId}', { params: { promptId }, body }),
  )

export const useDeletePrompt = () =>
  useWrite(['saved-prompts'], ({ promptId }: SavedPrompt) =>
    remove('/api/saved-prompts/{promptId}', { params: { promptId } }),
  )

/** Creates a job in each project. The same `requestId` never creates a second one there. */
export const useRunPrompt = () =>
  useWrite(jobKeys, async ({ promptId, ...body }: RunPrompt & Pick<SavedPrompt, 'promptId'>) => {
    const { results } = await post('/api/saved-prompts/{promptId}/runs', { params: { promptId }, body })
    for (const { connectionId, projectId, jobId } of results)
      if (jobId !== null) addOwnRecord(toJobId({ connectionId: connectionId ?? undefined, projectId, id: jobId }))
    return results
  })
