import { PeopleList } from '#features/accounts/people/people-list.tsx'
import { useStatus } from '#features/connection/connection.queries.ts'

/** People and their roles, for admins. */
export const PeoplePage = () => <PeopleList connections={useStatus().data?.connections ?? []} />
