import { PackageOpen } from 'lucide-react'
import { lazy, Suspense, useDeferredValue, useState, useSyncExternalStore } from 'react'
import { headings } from '#app/titles/headings.ts'
import { toJobId } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { describeJobChange } from '#features/records/agent-jobs/job-state.ts'
import { ChoosePasswordHint } from '#features/people/accounts/choose-password-hint.tsx'
import { useLocal } from '#features/service/connections/connection.queries.ts'
import { NoService } from '#features/service/connections/no-service.tsx'
import { useExportAnnouncements } from '#features/records/static-exports/export-announcements.ts'
import { StartExportForm } from '#features/records/static-exports/start/start-export-form.tsx'
import { ownRecords } from '#lib/state/own-records.ts'
import { useNoService } from '#ui/connections/use-connections.ts'
import { EmptyState } from '#ui/layout/empty-state.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { useAnnouncedChanges } from '#ui/records/use-announced-changes.ts'
import { OneClickExport } from '#app/pages/records/one-click-export.tsx'
import { OverviewSection } from './overview-section.tsx'
import { buildOverview, listSections } from './overview.ts'
import { useOverview } from './use-overview.ts'

const OverviewPlots = lazy(() =>
  import('#features/records/static-exports/domain/overview-plots.tsx').then((module) => ({
    default: module.OverviewPlots,
  })),
)

const CancelDialog = lazy(() =>
  import('#features/records/agent-jobs/actions/cancel-dialog.tsx').then((module) => ({ default: module.CancelDialog })),
)

/** Fewer finished exports are listed, not plotted. */
const minFinished = 5
const { title, about } = headings['/']

const Loading = () => (
  <div className="mt-7 space-y-7" aria-busy="true">
    <Skeleton className="h-24 w-full" />
    <Skeleton className="h-48 w-full" />
  </div>
)

const active = { exports: { group: 'active' }, jobs: { group: 'working' } } as const
const attention = { exports: { attention: true }, jobs: { attention: true } }

export const HomePage = () => {
  const { rows, jobs, more, finished, isKnown: isRead, failure, dataUpdatedAt, refetch } = useOverview()
  // React renders the first rows in steps, between which the browser answers to other things.
  const isKnown = useDeferredValue(isRead)
  const local = useLocal()
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
      <PageHeader title={title}>{about}</PageHeader>
      {!noService && <StartExportForm suggestions={domains} />}
      {failure && (
        <div className="mt-5">
          <StaleNotice error={failure} dataUpdatedAt={dataUpdatedAt()} onRetry={refetch} />
        </div>
      )}
      {!isKnown && !failure && <Loading />}
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
