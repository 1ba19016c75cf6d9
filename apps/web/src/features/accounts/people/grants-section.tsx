import type { User } from '@docket/api-types/accounts'
import type { Grant } from '@docket/api-types/grants'
import { Users } from 'lucide-react'
import { GrantForm } from './grant-form.tsx'
import { GrantMarks, type NamedConnection } from './grant-marks.tsx'

type GrantsSectionProps = {
  people: readonly User[]
  grants: readonly Grant[]
  connections: readonly NamedConnection[]
}

/** Roles of groups on connections, and the form that gives one to a person or a group. */
export const GrantsSection = ({ people, grants, connections }: GrantsSectionProps) => {
  const groups = Object.entries(
    Object.groupBy(
      grants.filter(({ oidcGroup }) => oidcGroup !== null),
      ({ oidcGroup }) => oidcGroup ?? '',
    ),
  )
  return (
    <div className="panel mt-6 divide-y divide-line">
      {groups.length > 0 && (
        <ul className="divide-y divide-line">
          {groups.map(([group, held = []]) => (
            <li key={group} className="px-4 py-3 text-sm">
              <p className="flex items-center gap-2 font-medium">
                <Users className="size-4 shrink-0 text-muted" aria-hidden="true" />
                <span className="min-w-0 wrap-anywhere">
                  {group} <span className="text-xs font-normal text-muted">group</span>
                </span>
              </p>
              <GrantMarks name={group} grants={held} connections={connections} />
            </li>
          ))}
        </ul>
      )}
      <GrantForm people={people} connections={connections} />
    </div>
  )
}
