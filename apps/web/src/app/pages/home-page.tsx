import { useInfiniteQuery } from '@tanstack/react-query'
import { PackageOpen } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { jobListQuery } from '#features/agent-jobs/agent-jobs.queries.ts'
import { useJobAnnouncements } from '#features/agent-jobs/job-announcements.ts'
import { JobRow } from '#features/agent-jobs/job-row.tsx'
import { useLocal } from '#features/connection/connection.queries.ts'
import { useExportAnnouncements } from '#features/static-exports/export-announcements.ts'
import { ExportRow } from '#features/static-exports/export-row.tsx'
import { StartExportForm } from '#features/static-exports/start/start-export-form.tsx'
import { exportListQuery } from '#features/static-exports/static-exports.queries.ts'
import { nowMs } from '#lib/clock.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Link } from '#ui/link.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { recordList } from '#ui/record-row.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { StaleNotice } from '#ui/stale-notice.tsx'
import { usePaused } from '#ui/use-paused.ts'
import { OneClickExport } from './one-click-export.tsx'
import { overviewOf, sectionsIn, type OverviewItem } from './overview.ts'

const Section = ({
  title,
  items,
  empty,
  more,
}: {
  title: string
  items: readonly OverviewItem[]
  empty: ReactNode
  more?: ReactNode
}) => (
  <section aria-label={title} className="mt-7">
    <div className="mb-2.5 flex items-baseline justify-between gap-4">
      <h2 className="text-base font-semibold">
        {title}
        {items.length > 0 && <span className="ml-2 font-normal text-muted">{items.length}</span>}
      </h2>
      {more}
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

const Loading = () => (
  <div className="mt-7 space-y-7" aria-busy="true">
    <Skeleton className="h-24 w-full" />
    <Skeleton className="h-48 w-full" />
  </div>
)

/** What runs now, what needs somebody, what was there lately; and the form to start the next one. */
export const HomePage = () => {
  const paused = usePaused()
  const exports = useInfiniteQuery(exportListQuery(paused))
  const jobs = useInfiniteQuery(jobListQuery(paused))
  const local = useLocal()
  const rows = useMemo(() => exports.data?.pages.flatMap((page) => page.items), [exports.data])
  const cards = useMemo(() => jobs.data?.pages.flatMap((page) => page.items), [jobs.data])
  useExportAnnouncements(rows)
  useJobAnnouncements(cards)
  const domains = local === undefined ? undefined : (local?.domains ?? [])
  const isNew = rows?.length === 0 && cards?.length === 0
  const failure = exports.error ?? jobs.error
  // Both at once: one after the other would push rows down.
  const known = (exports.isFetched && jobs.isFetched && (rows ?? cards)) || undefined
  const [held, setHeld] = useState<ReturnType<typeof sectionsIn> | null>(null)
  const overview = overviewOf(rows ?? [], cards ?? [], nowMs(), held)
  const { running, attention, recent } = overview
  const link = 'text-sm text-accent underline-offset-2 hover:underline'
  return (
    <>
      <PageHeader title="Overview">What runs, what needs you, what is ready.</PageHeader>
      <StartExportForm suggestions={domains} />
      {failure && (
        <div className="mt-5">
          <StaleNotice
            error={failure}
            dataUpdatedAt={Math.min(exports.dataUpdatedAt, jobs.dataUpdatedAt)}
            onRetry={() => void Promise.all([exports.refetch(), jobs.refetch()])}
          />
        </div>
      )}
      {!known && !failure && <Loading />}
      {isNew && (
        <div className="panel mt-7">
          <EmptyState
            icon={<PackageOpen strokeWidth={1.5} />}
            title="Nothing is watched yet"
            action={domains?.[0] && <OneClickExport domain={domains[0]} />}
          >
            Start an export and its progress appears here, then its bundle. Agent jobs that you follow appear too, until
            their pull request is there.
          </EmptyState>
        </div>
      )}
      {known && !isNew && (
        <div
          onPointerMove={() => setHeld((before) => before ?? sectionsIn(overview))}
          onPointerLeave={() => setHeld(null)}
        >
          <Section
            title="Running now"
            items={running}
            empty="Nothing is running. When nothing runs, nothing is asked of the service."
          />
          {attention.length > 0 && <Section title="Needs attention" items={attention} empty="" />}
          <Section
            title="Recent"
            items={recent}
            empty="What has finished appears here: bundles to download, pull requests to review."
            more={
              <span className="flex gap-4">
                <Link href="/exports" className={link}>
                  All exports
                </Link>
                <Link href="/agent-jobs" className={link}>
                  All jobs
                </Link>
              </span>
            }
          />
        </div>
      )}
    </>
  )
}
