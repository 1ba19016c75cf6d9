import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useRecordTitle } from '#app/titles/page-title.ts'
import { siteQuery } from '#features/releases/sites/sites.queries.ts'
import { SiteView } from '#features/releases/sites/site-view.tsx'
import { isolate } from '#lib/text/bidi.ts'
import { Link } from '#ui/links/link.tsx'
import { usePaused } from '#ui/live/use-paused.ts'
import { siteSlots } from './site-slots.tsx'

/** One site with its channels. */
export const SitePage = () => {
  const from = '/inside/sites/$siteId'
  const { siteId } = useParams({ from })
  const { channel } = useSearch({ from })
  const { data: site } = useQuery(siteQuery(siteId, usePaused()))
  useRecordTitle(site ? isolate(site.name) : null)
  return (
    <>
      <nav aria-label="Back" className="mb-2 text-sm">
        <Link to="/sites" className="inline-flex h-6 items-center text-muted hover:text-text">
          ← Sites
        </Link>
      </nav>
      <SiteView key={siteId} siteId={siteId} channel={channel} slots={siteSlots} />
    </>
  )
}
