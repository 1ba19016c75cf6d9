import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { toAsciiDomain } from '#features/records/static-exports/domain/domain-link.ts'
import { findSiteOfDomain } from '#features/releases/sites/site-labels.ts'
import { sitesQuery } from '#features/releases/sites/sites.queries.ts'
import { isolateDomain } from '#lib/text/format.ts'
import { useChosenConnection } from '#ui/connections/connections.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Loading, ReadState } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { usePaused } from '#ui/live/ticking.tsx'
import { FeedTrends } from './site/site-trends-page.tsx'

/** Leads from a domain to its site. Without one, shows the trends of its exports. */
export const DomainPage = () => {
  const named = useParams({ from: '/inside/domains/$domain' }).domain
  const domain = toAsciiDomain(named)
  const query = useQuery(sitesQuery(usePaused()))
  const { data } = query
  const connection = useChosenConnection()
  if (!data)
    return (
      <ReadState query={query} waiting={<Loading label="Loading the site" lines={['h-8 w-64', 'h-40 w-full']} />} />
    )
  const site = findSiteOfDomain(data.sites, domain, connection)
  if (site) return <Navigate to="/sites/$siteId" params={{ siteId: site.siteId }} replace />
  return (
    <>
      <PageHeader title={isolateDomain(named)}>
        <Link to="/exports" search={{ domain }} className="text-accent hover:underline">
          All exports
        </Link>
      </PageHeader>
      <FeedTrends feed={{ domain, connectionId: connection }} />
    </>
  )
}
