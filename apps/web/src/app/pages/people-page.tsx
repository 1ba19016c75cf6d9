import { PeopleList } from '#features/accounts/people/people-list.tsx'

/** Who may use this Docket. For admins. */
export const PeoplePage = () => (
  <div className="max-w-4xl">
    <PeopleList />
  </div>
)
