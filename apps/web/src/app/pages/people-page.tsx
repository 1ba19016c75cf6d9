import { PeopleList } from '#features/accounts/people/people-list.tsx'

/** Accounts and invitations, for admins. */
export const PeoplePage = () => (
  <div className="max-w-4xl">
    <PeopleList />
  </div>
)
