import type { Unattended } from '@docket/api-types/workload'
import { useQuery } from '@tanstack/react-query'
import { get } from '#lib/api/api.ts'
import { formatPlural } from '#lib/text/format.ts'
import { usePaused } from '#ui/live/ticking.tsx'
import { Notice } from '#ui/messages/notice.tsx'

const everyMs = 30_000

const titles: Record<Unattended['kind'], (waiting: number) => string> = {
  exports: (waiting) => `${formatPlural(waiting, 'export waits', 'exports wait')} for a worker`,
  agents: (waiting) => `${formatPlural(waiting, 'agent job waits', 'agent jobs wait')} for a worker`,
}

const kinds: Record<Unattended['kind'], string> = { exports: 'exports', agents: 'agent jobs' }

/** Warns that no process does the work of the embedded service, with a remedy. Renders nothing otherwise. */
export const WorkloadNotice = () => {
  const isPaused = usePaused()
  const { data } = useQuery({
    queryKey: ['workload'],
    queryFn: ({ signal }) => get('/api/workload', { signal }),
    refetchInterval: !isPaused && everyMs,
    staleTime: everyMs,
    enabled: !isPaused,
  })
  return data?.unattended.map(({ kind, waiting }) => (
    <Notice key={kind} tone="attention" role="status" title={titles[kind](waiting)}>
      {`No running process takes ${kinds[kind]}. Ask whoever runs Docket to start a worker (`}
      <code>docket worker</code>), or to start Docket without <code>--no-workers</code>. Nothing is lost meanwhile.
    </Notice>
  ))
}
