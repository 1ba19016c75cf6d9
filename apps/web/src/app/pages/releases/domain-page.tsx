import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { toAsciiDomain } from '#features/records/static-exports/domain/domain-link.ts'
import { findSiteOfDomain } from '#features/releases/sites/site-labels.ts'
import { sitesQuery } from '#features/releases/sites/sites.queries.ts'
import { useChosenConnection } from '#ui/connections/use-connections.ts'
import { Loading } from '#ui/layout/skeleton.tsx'
import { usePaused } from '#ui/live/use-paused.ts'
import { StaleNotice } from '#ui/records/stale-notice.tsx'

/** Leads from a domain to its site, or to its exports before it has one. */
export const DomainPage = () => {
  const domain = toAsciiDomain(useParams({ from: '/inside/domains/$domain' }).domain)
  const { data, error, refetch } = useQuery(sitesQuery(usePaused()))
  const connection = useChosenConnection()
  if (!data)
    return error ? (
      <StaleNotice error={error} dataUpdatedAt={0} onRetry={() => void refetch()} />
    ) : (
      <Loading label="Loading the site" lines={['h-8 w-64', 'h-40 w-full']} />
    )
  const site = findSiteOfDomain(data.sites, domain, connection)
  return site ? (
    <Navigate to="/sites/$siteId" params={{ siteId: site.siteId }} replace />
  ) : (
    <Navigate to="/exports" search={{ domain }} replace />
  )
}
