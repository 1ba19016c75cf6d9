import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { toAsciiDomain } from '#features/records/static-exports/domain/domain-link.ts'
import { ExportRows } from '#features/records/static-exports/domain/export-rows.tsx'
import { DomainNumbers } from '#features/records/static-exports/domain/domain-numbers.tsx'
import { statisticsQuery } from '#features/records/static-exports/domain/statistics.queries.ts'
import { useExportAnnouncements } from '#features/records/static-exports/export-announcements.ts'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import { exportsQuery } from '#features/records/static-exports/static-exports.queries.ts'
import { formatPlural } from '#lib/text/format.ts'
import { useChosenConnection } from '#ui/connections/use-connections.ts'
import { BackLink, Link } from '#ui/links/link.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { usePaused } from '#ui/live/use-paused.ts'

const DomainPlots = lazy(() =>
  import('#features/records/static-exports/domain/domain-plots.tsx').then((module) => ({
    default: module.DomainPlots,
  })),
)

const shownExports = 6

const DomainStatistics = ({ domain, stamp }: { domain: string; stamp: string }) => {
  const { data, error, dataUpdatedAt, refetch } = useQuery(statisticsQuery(domain, useChosenConnection(), stamp))
  if (!data)
    return error ? (
      <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="h-64 w-full" />
    )
  return (
    <>
      <div className="min-w-0 xl:col-start-2">
        <Panel title="Last 30 days">
          <DomainNumbers total={data.total} />
        </Panel>
      </div>
      <div className="min-w-0 xl:col-start-1 xl:row-span-2 xl:row-start-1">
        <Panel title="Over time">
          {data.exports.length < 2 ? (
            <p className="text-sm text-muted">Plots need two finished exports.</p>
          ) : (
            <Suspense fallback={<Skeleton className="h-96 w-full" />}>
              <DomainPlots data={data} />
            </Suspense>
          )}
        </Panel>
      </div>
    </>
  )
}

export const DomainPage = () => {
  const { domain: name } = useParams({ from: '/inside/domains/$domain' })
  const domain = toAsciiDomain(name)
  const list = useQuery(exportsQuery({ domain, connection: useChosenConnection() }, usePaused()))
  const rows = list.data?.items
  useExportAnnouncements(rows)
  const [latest] = rows ?? []
  const count = list.data?.counts.matching
  const title = latest ? formatDomain(latest) : name
  return (
    <>
      <BackLink to="/exports">← Exports</BackLink>
      <PageHeader title={<bdi>{title}</bdi>}>{title !== domain && <bdi>{domain}</bdi>}</PageHeader>
      <div className="space-y-4">
        {list.error && (
          <StaleNotice error={list.error} dataUpdatedAt={list.dataUpdatedAt} onRetry={() => void list.refetch()} />
        )}
        {rows?.length === 0 && <p className="panel px-4 py-4 text-sm text-muted">No exports of this domain yet.</p>}
        {rows && latest && (
          <>
            <ExportRows title="Latest export" rows={[latest]} />
            <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem] xl:grid-rows-[auto_1fr]">
              <DomainStatistics domain={domain} stamp={rows.find(({ finishedAt }) => finishedAt)?.exportId ?? ''} />
              {rows.length > 1 && (
                <ExportRows title="Earlier exports" rows={rows.slice(1, shownExports)} className="xl:col-start-2">
                  <Link
                    to="/exports"
                    search={{ domain }}
                    className="inline-flex min-h-6 items-center text-sm text-accent hover:underline"
                  >
                    {count && !count.more ? `All ${formatPlural(count.count, 'export')}` : 'All exports'}
                  </Link>
                </ExportRows>
              )}
            </div>
          </>
        )}
      </div>
    </>
  )
}
