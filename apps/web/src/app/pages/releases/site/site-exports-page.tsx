import type { Site, SiteFeed } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { findExportMarks } from '#app/pages/records/export-marks.ts'
import { useExportAnnouncements } from '#features/records/static-exports/export-announcements.ts'
import { MarksContext } from '#features/records/static-exports/list/export-marks.ts'
import { ExportRow } from '#features/records/static-exports/list/export-row.tsx'
import { exportsQuery, toExportId } from '#features/records/static-exports/static-exports.queries.ts'
import { useSeesExports } from '#features/releases/sites/use-sees-exports.ts'
import { formatPlural } from '#lib/text/format.ts'
import { Loading, ReadState } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { usePaused } from '#ui/live/ticking.tsx'
import { useSite } from './use-site.ts'

const FeedExports = ({ site, feed: { connectionId, domain } }: { site: Site; feed: SiteFeed }) => {
  const search = { domain, connection: connectionId }
  const query = useQuery(exportsQuery(search, usePaused()))
  const { data } = query
  useExportAnnouncements(data?.items)
  const count = data?.counts.matching
  const title = site.feeds.length > 1 ? `Exports of ${domain}` : 'Exports'
  return (
    <>
      <ReadState query={query} waiting={<Loading label="Loading exports" lines={['h-40 w-full']} />} />
      {data?.items.length === 0 && <p className="panel px-4 py-4 text-sm text-muted">No exports of {domain} yet.</p>}
      {data && data.items.length > 0 && (
        <section aria-label={title} className="min-w-0">
          <div className="mb-2.5 flex flex-wrap items-baseline justify-between gap-x-4">
            <h2 className="text-base font-semibold">{title}</h2>
            <Link
              to="/exports"
              search={search}
              className="inline-flex min-h-6 items-center text-sm text-accent hover:underline"
            >
              {count && !count.more ? `All ${formatPlural(count.count, 'export')}` : 'All exports'}
            </Link>
          </div>
          <ul className="panel @container divide-y divide-line">
            {data.items.map((row) => (
              <li key={toExportId(row)}>
                <ExportRow row={row} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

export const SiteExportsPage = () => {
  const site = useSite()
  const seesExports = useSeesExports(site ?? { feeds: [] })
  if (!site) return null
  if (!seesExports) return <Navigate to="/sites/$siteId/releases" params={{ siteId: site.siteId }} replace />
  return (
    <MarksContext value={findExportMarks([site])}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
        {site.feeds.map((feed) => (
          <FeedExports key={`${feed.connectionId} ${feed.domain}`} site={site} feed={feed} />
        ))}
      </div>
    </MarksContext>
  )
}
