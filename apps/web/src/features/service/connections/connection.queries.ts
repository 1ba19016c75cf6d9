import type { ConnectionReport } from '@docket/api-types/connection'
import type { Status } from '@docket/api-types/status'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get } from '#lib/api/api.ts'
import { readLastVisitor } from '#lib/people/visitor.ts'
import { refetchInterval } from '#lib/polling/polling.ts'
import { readStored, writeStored } from '#lib/state/store.ts'
import { usePaused } from '#ui/live/ticking.tsx'

/** Status of Docket and the service. Polled at half the speed of lists. */
export const statusQuery = (paused: boolean) =>
  queryOptions({
    queryKey: ['status'],
    queryFn: async ({ signal }) => {
      const status = await get('/api/status', { signal })
      // A late response must not restore data that a sign-out in another tab removed.
      if (readLastVisitor() !== null) {
        writeStored('local', 'sites', JSON.stringify(status.local))
        writeStored('local', 'prompts', status.agentJobCreation ? 'allowed' : null)
        writeStored('local', 'connections', JSON.stringify(status.connections))
      }
      return status
    },
    refetchInterval: refetchInterval<Status>({
      paused,
      isLive: ({ active }) => active.staticExports + active.agentJobs > 0,
      slowdown: 2,
    }),
  })

/** Report about a connection, or the first one (`''`). Polled while its page is open. */
export const reportQuery = (connection: string, paused: boolean) =>
  queryOptions({
    queryKey: ['connection', connection],
    queryFn: ({ signal }) => get('/api/connection', { query: { connection }, signal }),
    refetchInterval: refetchInterval<ConnectionReport>({
      paused,
      isLive: ({ nextChecks, gates }) => nextChecks.length + gates.length > 0,
      slowdown: 2,
    }),
  })

const readStoredLocal = (): Status['local'] | undefined => {
  try {
    return JSON.parse(readStored('local', 'sites') ?? '') as Status['local']
  } catch {
    return undefined
  }
}

/** Sites and projects of the embedded service; null with another, undefined while unknown. Stored, so that the first layout is right. */
export const useLocalService = (): Status['local'] | undefined => {
  const { data } = useStatus()
  const [before] = useState(readStoredLocal)
  return data === undefined ? before : data.local
}

export const usePromptsAllowed = (): boolean => {
  const { data } = useStatus()
  const [before] = useState(() => readStored('local', 'prompts') === 'allowed')
  return data?.agentJobCreation ?? before
}

export const useStatus = () => {
  const paused = usePaused()
  return useQuery(statusQuery(paused))
}
