import type { AgentJob, AgentJobList } from '@docket/api-types/agent-jobs'
import type { StaticExport, StaticExportList } from '@docket/api-types/static-exports'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { toJobId, jobsQuery } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { isWorking } from '#features/records/agent-jobs/job-state.ts'
import { isRunning } from '#features/records/static-exports/export-state.ts'
import { toExportId, exportsQuery } from '#features/records/static-exports/static-exports.queries.ts'
import { useChosenConnection } from '#ui/connections/use-connections.ts'
import { usePaused } from '#ui/live/use-paused.ts'

const noRows: readonly never[] = []

/** Union of rows; the first list wins. Undefined until the first list is read. */
const useUnion = <Row>(
  first: readonly Row[] | undefined,
  second: readonly Row[] = noRows,
  third: readonly Row[] = noRows,
  getId: (row: Row) => string,
): readonly Row[] | undefined =>
  useMemo(() => {
    if (!first) return undefined
    const rows = new Map<string, Row>()
    for (const row of [...first, ...second, ...third]) if (!rows.has(getId(row))) rows.set(getId(row), row)
    return [...rows.values()]
  }, [first, second, third, getId])

type Counts = (StaticExportList | AgentJobList)['counts']

const countMore = <Row extends { needsAttention?: boolean | undefined }>(
  counts: Counts | undefined,
  rows: readonly Row[] = noRows,
  isActive: (row: Row) => boolean,
) => {
  const bad = rows.filter(({ needsAttention }) => needsAttention)
  const running = rows.filter((row) => isActive(row) && !bad.includes(row))
  return {
    running: Math.max(0, (counts?.active ?? 0) - running.length),
    attention: Math.max(0, (counts?.attention ?? 0) - bad.length),
  }
}

const useExports = (connection: string, paused: boolean) => {
  const newest = useQuery(exportsQuery({ connection }, paused))
  const beyond = countMore<StaticExport>(newest.data?.counts, newest.data?.items, isRunning)
  // Only needed when the newest page does not include all of them.
  const active = useQuery({ ...exportsQuery({ connection, group: 'active' }, paused), enabled: beyond.running > 0 })
  const bad = useQuery({ ...exportsQuery({ connection, attention: true }, paused), enabled: beyond.attention > 0 })
  const rows = useUnion(newest.data?.items, active.data?.items, bad.data?.items, toExportId)
  return { newest, rows, more: countMore<StaticExport>(newest.data?.counts, rows, isRunning) }
}

const useJobs = (connection: string, paused: boolean) => {
  const newest = useQuery(jobsQuery({ connection }, paused))
  const beyond = countMore<AgentJob>(newest.data?.counts, newest.data?.items, isWorking)
  const active = useQuery({ ...jobsQuery({ connection, group: 'working' }, paused), enabled: beyond.running > 0 })
  const bad = useQuery({ ...jobsQuery({ connection, attention: true }, paused), enabled: beyond.attention > 0 })
  const rows = useUnion(newest.data?.items, active.data?.items, bad.data?.items, toJobId)
  return { newest, rows, more: countMore<AgentJob>(newest.data?.counts, rows, isWorking) }
}

export const useOverview = () => {
  const connection = useChosenConnection()
  const paused = usePaused()
  const exports = useExports(connection, paused)
  const jobs = useJobs(connection, paused)
  const counts = exports.newest.data?.counts
  return {
    rows: exports.rows,
    jobs: jobs.rows,
    more: { exports: exports.more, jobs: jobs.more },
    finished: counts ? counts.all - counts.active : 0,
    // Waits for both, because the second would push rows down.
    isKnown: exports.newest.isFetched && jobs.newest.isFetched && (exports.rows ?? jobs.rows) !== undefined,
    failure: exports.newest.error ?? jobs.newest.error,
    dataUpdatedAt: () => Math.min(exports.newest.dataUpdatedAt, jobs.newest.dataUpdatedAt),
    refetch: () => void Promise.all([exports.newest.refetch(), jobs.newest.refetch()]),
  }
}
