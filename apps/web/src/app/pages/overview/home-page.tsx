import { PackageOpen } from 'lucide-react'
import { lazy, Suspense, useDeferredValue, useState, useSyncExternalStore, type ReactNode, useMemo } from 'react'
import { toJobId, jobsQuery } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { describeJobChange, isWorkingJob } from '#features/records/agent-jobs/job-state.ts'
import { ChoosePasswordHint } from '#features/people/accounts/choose-password-hint.tsx'
import { useLocalService } from '#features/service/connections/connection.queries.ts'
import { NoService } from '#features/service/connections/no-service.tsx'
import { useExportAnnouncements } from '#features/records/static-exports/export-announcements.ts'
import { SiteList } from '#features/releases/sites/site-list.tsx'
import { sitesQuery } from '#features/releases/sites/sites.queries.ts'
import { StartExportForm } from '#features/records/static-exports/start/start-export-form.tsx'
import { ownRecords } from '#lib/state/own-records.ts'
import { useNoService, useChosenConnection } from '#ui/connections/use-connections.ts'
import { EmptyState } from '#ui/layout/empty-state.tsx'
import { Loading } from '#ui/layout/skeleton.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { useAnnouncedChanges } from '#ui/records/use-announced-changes.ts'
import { OneClickExport } from '#app/pages/records/one-click-export.tsx'
import { buildOverview, listSections, type OverviewItem } from './overview.ts'
import type { LinkProps, RegisteredRouter } from '@tanstack/react-router'
import { JobRow } from '#features/records/agent-jobs/list/job-row.tsx'
import { ExportRow } from '#features/records/static-exports/list/export-row.tsx'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { Link } from '#ui/links/link.tsx'
import { recordList } from '#ui/records/record-row.ts'
import type { AgentJob, AgentJobList } from '@docket/api-types/agent-jobs'
import type { StaticExport, StaticExportList } from '@docket/api-types/static-exports'
import { useQuery } from '@tanstack/react-query'
import { isRunningExport } from '#features/records/static-exports/export-state.ts'
import { toExportId, exportsQuery } from '#features/records/static-exports/static-exports.queries.ts'
import { usePaused } from '#ui/live/use-paused.ts'

const noRows: readonly never[] = []

/** Union of rows; the first list wins. Undefined until the first list is read. */
const useRowUnion = <Row,>(
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

const countRowsNotShown = <Row extends { needsAttention?: boolean | undefined }>(
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

const useOverviewExports = (connection: string, paused: boolean) => {
  const newest = useQuery(exportsQuery({ connection }, paused))
  const beyond = countRowsNotShown<StaticExport>(newest.data?.counts, newest.data?.items, isRunningExport)
  // Only needed when the newest page does not include all running records.
  const active = useQuery({ ...exportsQuery({ connection, group: 'active' }, paused), enabled: beyond.running > 0 })
  const bad = useQuery({ ...exportsQuery({ connection, attention: true }, paused), enabled: beyond.attention > 0 })
  const rows = useRowUnion(newest.data?.items, active.data?.items, bad.data?.items, toExportId)
  return { newest, rows, more: countRowsNotShown<StaticExport>(newest.data?.counts, rows, isRunningExport) }
}

const useOverviewJobs = (connection: string, paused: boolean) => {
  const newest = useQuery(jobsQuery({ connection }, paused))
  const beyond = countRowsNotShown<AgentJob>(newest.data?.counts, newest.data?.items, isWorkingJob)
  const active = useQuery({ ...jobsQuery({ connection, group: 'working' }, paused), enabled: beyond.running > 0 })
  const bad = useQuery({ ...jobsQuery({ connection, attention: true }, paused), enabled: beyond.attention > 0 })
  const rows = useRowUnion(newest.data?.items, active.data?.items, bad.data?.items, toJobId)
  return { newest, rows, more: countRowsNotShown<AgentJob>(newest.data?.counts, rows, isWorkingJob) }
}

const useOverview = () => {
  const connection = useChosenConnection()
  const paused = usePaused()
  const exports = useOverviewExports(connection, paused)
  const jobs = useOverviewJobs(connection, paused)
  const counts = exports.newest.data?.counts
  return {
    rows: exports.rows,
    jobs: jobs.rows,
    more: { exports: exports.more, jobs: jobs.more },
    finished: counts ? counts.all - counts.active : 0,
    // Waits for both lists, because the second would push rows down.
    isKnown: exports.newest.isFetched && jobs.newest.isFetched && (exports.rows ?? jobs.rows) !== undefined,
    failure: exports.newest.error ?? jobs.newest.error,
    dataUpdatedAt: () => Math.min(exports.newest.dataUpdatedAt, jobs.newest.dataUpdatedAt),
    refetch: () => void Promise.all([exports.newest.refetch(), jobs.newest.refetch()]),
  }
}

const link = 'inline-flex min-h-6 items-center text-sm text-accent underline-offset-2 hover:underline'

type LinkSearch<To extends string> = NonNullable<LinkProps<'a', RegisteredRouter, string, To>['search']>

type SectionProps = {
  title: string
  items: readonly OverviewItem[]
  empty: ReactNode
  more?: {
    exports: number
    jobs: number
    search: { exports: LinkSearch<'/exports'>; jobs: LinkSearch<'/agent-jobs'> }
  }
  linksToAll?: boolean
}

const OverviewSection = ({ title, items, empty, more, linksToAll = false }: SectionProps) => {
  const total = items.length + (more ? more.exports + more.jobs : 0)
  return (
    <section aria-label={title} className="mt-7">
      <div className="mb-2.5 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-base font-semibold">
          {title} {items.length > 0 && <span className="ml-1 font-normal text-muted">{formatCount(total)}</span>}
        </h2>
        <span className="flex gap-4">
          {more && more.exports > 0 && (
            <Link to="/exports" search={more.search.exports} className={link}>
              {formatPlural(more.exports, 'more export')}
            </Link>
          )}
          {more && more.jobs > 0 && (
            <Link to="/agent-jobs" search={more.search.jobs} className={link}>
              {formatPlural(more.jobs, 'more job')}
            </Link>
          )}
          {linksToAll && (
            <>
              <Link to="/exports" className={link}>
                All exports
              </Link>
              <Link to="/agent-jobs" className={link}>
                All jobs
              </Link>
            </>
          )}
        </span>
      </div>
      {items.length === 0 ? (
        <p className="panel border-dashed px-4 py-4 text-sm text-muted">{empty}</p>
      ) : (
        <ul className={recordList}>
          {items.map((item) => (
            <li key={item.id}>{item.kind === 'export' ? <ExportRow row={item.row} /> : <JobRow job={item.job} />}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

const OverviewPlots = lazy(() =>
  import('#features/records/static-exports/domain/overview-plots.tsx').then((module) => ({
    default: module.OverviewPlots,
  })),
)

const CancelDialog = lazy(() =>
  import('#features/records/agent-jobs/actions/cancel-dialog.tsx').then((module) => ({ default: module.CancelDialog })),
)

const minFinished = 5

const LoadingOverview = () => <Loading className="mt-7 space-y-7" lines={['h-24 w-full', 'h-48 w-full']} />

const active = { exports: { group: 'active' }, jobs: { group: 'working' } } as const
const attention = { exports: { attention: true }, jobs: { attention: true } }

export const HomePage = () => {
  const { rows, jobs, more, finished, isKnown: isRead, failure, dataUpdatedAt, refetch } = useOverview()
  const sites = useQuery(sitesQuery(usePaused()))
  // React renders the first rows in steps, so that the browser stays responsive.
  const isKnown = useDeferredValue(isRead && sites.isFetched)
  const local = useLocalService()
  const noService = useNoService()
  useExportAnnouncements(rows)
  useAnnouncedChanges(jobs, toJobId, describeJobChange)
  const domains = local === undefined ? undefined : (local?.domains ?? [])
  const isNew = isKnown && rows?.length === 0 && jobs?.length === 0
  const [pinned, setPinned] = useState<ReturnType<typeof listSections> | null>(null)
  const overview = buildOverview(
    rows ?? [],
    jobs ?? [],
    pinned,
    useSyncExternalStore(ownRecords.subscribe, ownRecords.get),
  )
  return (
    <>
      {!noService && <StartExportForm suggestions={domains} />}
      {failure && (
        <div className="mt-5">
          <StaleNotice error={failure} dataUpdatedAt={dataUpdatedAt()} onRetry={refetch} />
        </div>
      )}
      {!isKnown && !failure && <LoadingOverview />}
      {isNew && noService && (
        <div className="panel mt-7">
          <NoService />
        </div>
      )}
      {isNew && !noService && (
        <div className="panel mt-7">
          <EmptyState
            icon={<PackageOpen strokeWidth={1.5} />}
            title="No exports yet"
            action={domains?.[0] && <OneClickExport domain={domains[0]} />}
          >
            Start one above to follow its progress and download its bundle. Agent jobs you follow appear here too.
          </EmptyState>
        </div>
      )}
      {isKnown && (sites.error || sites.data?.sites.length !== 0) && (
        <div className="mt-7">
          <SiteList />
        </div>
      )}
      {isKnown && !isNew && (
        <div
          onPointerMove={() => setPinned((before) => before ?? listSections(overview))}
          onPointerLeave={() => setPinned(null)}
        >
          <OverviewSection
            title="Running now"
            items={overview.running}
            empty="Nothing is running."
            more={{ exports: more.exports.running, jobs: more.jobs.running, search: active }}
          />
          {overview.attention.length > 0 && (
            <OverviewSection
              title="Needs attention"
              items={overview.attention}
              empty=""
              more={{ exports: more.exports.attention, jobs: more.jobs.attention, search: attention }}
            />
          )}
          <OverviewSection
            title="Recent"
            items={overview.recent}
            empty="Finished exports and pull requests appear here."
            linksToAll
          />
        </div>
      )}
      {isKnown && finished >= minFinished && (
        <Suspense>
          <OverviewPlots />
        </Suspense>
      )}
      {(isKnown || failure) && <ChoosePasswordHint />}
      {isKnown && (
        <Suspense>
          <CancelDialog />
        </Suspense>
      )}
    </>
  )
}
