import type { SiteFeed } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { DomainNumbers } from '#features/records/static-exports/domain/domain-numbers.tsx'
import { statisticsQuery } from '#features/records/static-exports/domain/statistics.queries.ts'
import { Panel, Skeleton, ReadState } from '#ui/layout/page.tsx'
import { useSite } from './use-site.ts'

const DomainPlots = lazy(() =>
  import('#features/records/static-exports/domain/domain-plots.tsx').then((module) => ({
    default: module.DomainPlots,
  })),
)

type TrendsProps = { feed: SiteFeed; of?: string; stamp?: string }

/** Exports of a domain in numbers and plots; without a connection, those of all. */
export const FeedTrends = ({ feed: { domain, connectionId }, of = '', stamp = '' }: TrendsProps) => {
  const query = useQuery(statisticsQuery(domain, connectionId, stamp))
  const { data } = query
  if (!data) return <ReadState query={query} waiting={<Skeleton className="h-64 w-full" />} />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="min-w-0 xl:order-last">
        <Panel title={`Last 30 days${of}`}>
          <DomainNumbers total={data.total} />
        </Panel>
      </div>
      <Panel title={`Over time${of}`}>
        {data.exports.length < 2 ? (
          <p className="text-sm text-muted">Plots need two finished exports.</p>
        ) : (
          <Suspense fallback={<Skeleton className="h-96 w-full" />}>
            <DomainPlots data={data} />
          </Suspense>
        )}
      </Panel>
    </div>
  )
}

export const SiteTrendsPage = () => {
  const site = useSite()
  if (!site) return null
  const { feeds, newest } = site
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
      {feeds.map((feed) => (
        <FeedTrends
          key={`${feed.connectionId} ${feed.domain}`}
          feed={feed}
          of={feeds.length > 1 ? ` of ${feed.domain}` : ''}
          stamp={newest?.exportId ?? ''}
        />
      ))}
    </div>
  )
}
