import { useQuery } from '@tanstack/react-query'
import { PeopleList } from '#features/accounts/people/people-list.tsx'
import { useStatus } from '#features/connection/connection.queries.ts'
import { sitesQuery } from '#features/sites/sites.queries.ts'
import { usePaused } from '#ui/live/use-paused.ts'

/** People and their roles, for admins. */
export const PeoplePage = () => (
  <PeopleList
    connections={useStatus().data?.connections ?? []}
    sites={useQuery(sitesQuery(usePaused())).data?.sites ?? []}
  />
)
