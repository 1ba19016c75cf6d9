import type { StaticExport } from '@docket/api-types/static-exports'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { Link } from '#ui/links/link.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { buildDomainLink } from '#features/records/static-exports/domain/domain-link.ts'
import { statisticsQuery } from './statistics.queries.ts'

const DomainPlots = lazy(() => import('./domain-plots.tsx').then((module) => ({ default: module.DomainPlots })))

export const SameDomain = ({ row }: { row: StaticExport }) => {
  const { data, error, dataUpdatedAt, refetch } = useQuery(
    // Size and findings are known once the bundle is stored.
    statisticsQuery(row.domain, row.connectionId ?? '', `${row.finishedAt ?? ''} ${row.artifact?.state ?? ''}`),
  )
  return (
    <Panel
      title="Exports of this domain"
      action={
        <Link
          {...buildDomainLink(formatDomain(row))}
          className="inline-flex min-h-6 items-center text-sm text-accent hover:underline"
        >
          All of them
        </Link>
      }
    >
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-64 w-full" />}
      {data &&
        (data.exports.length < 2 ? (
          <p className="text-sm text-muted">Plots need two finished exports.</p>
        ) : (
          <Suspense fallback={<Skeleton className="h-96 w-full" />}>
            <DomainPlots data={data} />
          </Suspense>
        ))}
    </Panel>
  )
}
