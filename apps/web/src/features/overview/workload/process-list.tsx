import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { get } from '#lib/api/api.ts'
import { permissions } from '#lib/people/permissions.ts'
import { formatInstant, formatPlural } from '#lib/text/format.ts'
import { Panel } from '#ui/layout/page.tsx'

const describeWork = (exports: number, agents: number) => {
  const parts = [
    ...(exports > 0 ? [formatPlural(exports, 'export')] : []),
    ...(agents > 0 ? [formatPlural(agents, 'agent job')] : []),
  ]
  return parts.length === 0 ? 'no exports or agent jobs' : `${parts.join(' and ')} at once`
}

export const ProcessList = () => {
  const isAdmin = useSyncExternalStore(permissions.subscribe, permissions.get) === 'admin'
  const { data } = useQuery({
    queryKey: ['workload', 'processes'],
    queryFn: ({ signal }) => get('/api/workload/processes', { signal }),
    enabled: isAdmin,
  })
  if (!isAdmin || data === undefined || data.processes.length < 2) return null
  return (
    <Panel title="Processes">
      <ul className="text-sm">
        {data.processes.map(({ host, serves, exports, agents, startedAt }) => (
          <li
            key={`${host} ${startedAt}`}
            className="flex flex-wrap justify-between gap-x-4 border-t border-line py-1.5 first:border-t-0"
          >
            <span className="min-w-0 wrap-anywhere">
              {host} <span className="text-muted">{serves ? 'Docket' : 'worker'}</span>
            </span>
            <span className="text-muted">{`${describeWork(exports, agents)}, since ${formatInstant(startedAt)}`}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
