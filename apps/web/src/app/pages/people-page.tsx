import { PeopleList } from '#features/accounts/people/people-list.tsx'
import { SettingsFrame } from '#app/settings-frame.tsx'

/** Who may use this Docket. For admins. */
export const PeoplePage = () => (
  <SettingsFrame hint="Who may use this Docket, and what they may do." needed="admin">
    <div className="max-w-4xl">
      <PeopleList />
    </div>
  </SettingsFrame>
)
