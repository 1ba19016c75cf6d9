import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useRecordTitle } from '#app/titles/page-title.ts'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { sitesQuery } from '#features/releases/sites/sites.queries.ts'
import { SiteSettings } from '#features/releases/sites/settings/site-settings.tsx'
import { printProgramAddress } from '#lib/address/own-address.ts'
import { BackLink } from '#ui/links/link.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { usePaused } from '#ui/live/use-paused.ts'

export const SiteSettingsPage = () => {
  const { siteId } = useParams({ from: '/inside/sites/$siteId/settings' })
  const { data, error, dataUpdatedAt, refetch } = useQuery(sitesQuery(usePaused()))
  const connections = useStatus().data?.connections ?? []
  const site = data?.sites.find((one) => one.siteId === siteId)
  useRecordTitle(site?.name ?? null)
  return (
    <>
      <BackLink to="/sites/$siteId" params={{ siteId }}>
        ← Site
      </BackLink>
      <PageHeader title={site ? <bdi>{site.name}</bdi> : 'Site'}>Settings of the site and its channels.</PageHeader>
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-72 w-full" />}
      {data && !site && <Notice tone="idle">There is no such site, or you may not see it.</Notice>}
      {site && (
        <SiteSettings site={site} sites={data?.sites ?? []} connections={connections} docket={printProgramAddress()} />
      )}
    </>
  )
}
