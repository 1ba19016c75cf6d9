import { useQuery } from '@tanstack/react-query'
import { SiteSettings } from '#features/releases/sites/settings/site-settings.tsx'
import { sitesQuery } from '#features/releases/sites/sites.queries.ts'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { printProgramAddress } from '#lib/address/own-address.ts'
import { usePaused } from '#ui/live/ticking.tsx'
import { useSite } from './use-site.ts'

export const SiteSettingsPage = () => {
  const site = useSite()
  const sites = useQuery(sitesQuery(usePaused())).data?.sites ?? []
  const connections = useStatus().data?.connections ?? []
  return site && <SiteSettings {...{ site, sites, connections }} docket={printProgramAddress()} />
}
