import { useQuery } from '@tanstack/react-query'
import { PeopleList } from '#features/people/accounts/people/people-list.tsx'
import { sitesQuery } from '#features/releases/sites/sites.queries.ts'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { usePaused } from '#ui/live/ticking.tsx'
import { PeopleTokensTabs } from './people-tokens-tabs.tsx'

export const PeoplePage = () => (
  <>
    <PeopleTokensTabs />
    <PeopleList
      connections={useStatus().data?.connections ?? []}
      sites={useQuery(sitesQuery(usePaused())).data?.sites ?? []}
    />
  </>
)
