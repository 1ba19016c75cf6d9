import { useQuery } from '@tanstack/react-query'
import { PeopleList } from '#features/accounts/people/people-list.tsx'
import { useStatus } from '#features/connection/connection.queries.ts'
import { allSitesQuery } from '#features/sites/settings/settings.queries.ts'

/** People and their roles, for admins. */
export const PeoplePage = () => (
  <PeopleList connections={useStatus().data?.connections ?? []} sites={useQuery(allSitesQuery).data?.sites ?? []} />
)
