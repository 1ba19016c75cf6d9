import type { Site } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { siteQuery } from '#features/releases/sites/sites.queries.ts'
import { usePaused } from '#ui/live/ticking.tsx'

/** Site of the page. The frame around the tabs shows why it is not there. */
export const useSite = (): Site | undefined => {
  const { siteId } = useParams({ from: '/inside/sites/$siteId' })
  return useQuery(siteQuery(siteId, usePaused())).data
}
