import type { AgentJob } from '@docket/api-types/agent-jobs'
import { queryOptions } from '@tanstack/react-query'
import { jobRequest, toJobId, toJobKey, type JobKey } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { isWorking } from '#features/records/agent-jobs/job-state.ts'
import { get } from '#lib/api/api.ts'
import { refetchInterval } from '#lib/polling/polling.ts'
import { appendLog, type LogText } from './log-text.ts'

const readPart = ({ params, query }: ReturnType<typeof jobRequest>, offset: number, signal?: AbortSignal) =>
  get('/api/agent-jobs/{projectId}/{id}/log', { params, query: { ...query, offset }, signal })

/** Parts read at once; a longer log goes on with the next read. */
const maxParts = 20

/** Log of a job, at most its last 2,000 lines. Each read adds what is new. */
export const logQuery = (job: AgentJob, paused: boolean) => {
  const key = toJobKey(job)
  return queryOptions({
    queryKey: ['agent-jobs', 'log', toJobId(key)],
    queryFn: async ({ client, queryKey, signal }): Promise<LogText> => {
      let log = client.getQueryData<LogText>(queryKey)
      for (let parts = 0; parts < maxParts; parts += 1) {
        const offset = log?.nextOffset ?? 0
        const part = await readPart(jobRequest(key), offset, signal)
        // The service began a new log.
        if (part.nextOffset < offset) log = undefined
        else {
          log = appendLog(log, part, offset)
          if (part.ended || part.nextOffset === offset) return log
        }
      }
      return log ?? { text: '', nextOffset: 0, isCut: false, ended: false }
    },
    refetchInterval: refetchInterval<LogText>({
      paused,
      isLive: ({ ended }) => !ended || isWorking(job),
      isSettled: () => true,
    }),
    // What was read stays; a finished log does not change.
    staleTime: 2_000,
  })
}

/** Reads a whole log, part by part. */
export const readWholeLog = async (key: JobKey): Promise<string> => {
  const texts: string[] = []
  for (let offset = 0; ;) {
    const part = await readPart(jobRequest(key), offset)
    texts.push(part.text)
    if (part.nextOffset <= offset) return texts.join('')
    offset = part.nextOffset
  }
}
