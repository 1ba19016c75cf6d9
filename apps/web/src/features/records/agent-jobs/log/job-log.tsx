import type { AgentJob } from '@docket/api-types/agent-jobs'
import { useMutation, useQuery, queryOptions } from '@tanstack/react-query'
import { ArrowDown, Download } from 'lucide-react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { toJobKey, toJobRequest, toJobId, type JobKey } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { isWorkingJob } from '#features/records/agent-jobs/job-state.ts'
import { get } from '#lib/api/api.ts'
import { refetchInterval } from '#lib/polling/polling.ts'
import { Button, IconButton } from '#ui/buttons/button.tsx'
import { CopyButton } from '#ui/copying/copy-button.tsx'
import { saveText } from '#ui/copying/save-file.ts'
import { Panel, ReadState, Skeleton } from '#ui/layout/page.tsx'
import { usePaused } from '#ui/live/ticking.tsx'
import { toastFailure } from '#ui/messages/toast.ts'
import { cleanLog, appendLog, type LogText } from './log-text.ts'

const readLogPart = ({ params, query }: ReturnType<typeof toJobRequest>, offset: number, signal?: AbortSignal) =>
  get('/api/agent-jobs/{projectId}/{id}/log', { params, query: { ...query, offset }, signal })

/** Number of parts per read; a longer log continues with the next read. */
const maxParts = 20

/** Log of a job, at most its last 2,000 lines. Each read adds what is new. */
const logQuery = (job: AgentJob, paused: boolean) => {
  const key = toJobKey(job)
  return queryOptions({
    queryKey: ['agent-jobs', 'log', toJobId(key)],
    queryFn: async ({ client, queryKey, signal }): Promise<LogText> => {
      let log = client.getQueryData<LogText>(queryKey)
      for (let parts = 0; parts < maxParts; parts += 1) {
        const offset = log?.nextOffset ?? 0
        const part = await readLogPart(toJobRequest(key), offset, signal)
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
      isLive: ({ ended }) => !ended || isWorkingJob(job),
      isSettled: () => true,
    }),
    // Not read again, because a finished log does not change.
    staleTime: 2_000,
  })
}

const readWholeLog = async (key: JobKey): Promise<string> => {
  const texts: string[] = []
  for (let offset = 0; ;) {
    const part = await readLogPart(toJobRequest(key), offset)
    texts.push(part.text)
    if (part.nextOffset <= offset) return texts.join('')
    offset = part.nextOffset
  }
}

/** Within this distance of its end a reader follows the log. Pixels. */
const nearEndPx = 24

const LogLines = ({ text, live }: { text: string; live: boolean }) => {
  const box = useRef<HTMLPreElement>(null)
  const [follows, setFollows] = useState(true)
  const toEnd = () => {
    const element = box.current
    if (element) element.scrollTop = element.scrollHeight
  }
  useLayoutEffect(() => {
    if (follows) toEnd()
  }, [text, follows])
  return (
    <div className="relative">
      <pre
        ref={box}
        role="region"
        aria-label="Log of the agent"
        tabIndex={0}
        dir="ltr"
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) =>
          setFollows(scrollHeight - scrollTop - clientHeight < nearEndPx)
        }
        className="max-h-96 min-h-24 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere"
      >
        {text || (live ? 'No output yet.' : 'The agent printed nothing.')}
      </pre>
      {!follows && (
        <Button icon={ArrowDown} className="absolute right-4 bottom-3 shadow-float" onClick={() => setFollows(true)}>
          To the end
        </Button>
      )}
    </div>
  )
}

/** Output of the agent. Follows the end until the reader scrolls up. */
export const JobLog = ({ job }: { job: AgentJob }) => {
  const query = useQuery(logQuery(job, usePaused()))
  const { data, refetch } = query
  const text = useMemo(() => cleanLog(data?.text ?? ''), [data?.text])
  const live = isWorkingJob(job)
  // The last part of the log may arrive when the job ends.
  useEffect(() => void refetch(), [live, refetch])
  const saving = useMutation({
    mutationFn: () => readWholeLog(toJobKey(job)),
    onSuccess: (whole) => saveText(`${job.projectId}-${job.id}.log`, whole),
    onError: toastFailure('Could not download the log.'),
  })
  return (
    <Panel
      title="Log"
      action={
        text !== '' && (
          <span className="flex items-center gap-1">
            <CopyButton text={text} label="Copy the log" />
            <IconButton
              icon={Download}
              iconClass="size-3.5"
              label="Download the log"
              title="Download the log"
              busy={saving.isPending}
              onClick={() => saving.mutate()}
            />
          </span>
        )
      }
    >
      <ReadState query={query} waiting={<Skeleton className="h-24 w-full" />} />
      {data && <LogLines text={text} live={live} />}
      {data?.isCut && <p className="mt-2 text-xs text-muted">This is the end of a longer log.</p>}
    </Panel>
  )
}
