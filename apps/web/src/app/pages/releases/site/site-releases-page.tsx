import { SiteReleases } from '#features/releases/sites/releases/site-releases.tsx'
import { useSite } from './use-site.ts'

export const SiteReleasesPage = () => {
  const site = useSite()
  return site && <SiteReleases site={site} />
}
