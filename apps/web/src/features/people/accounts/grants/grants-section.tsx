import type { User } from '@docket/api-types/accounts'
import { Users } from 'lucide-react'
import { GrantForm } from './grant-form.tsx'
import { GrantMarks } from './grant-marks.tsx'
import type { HeldRole, Places } from './places.ts'
import { listPublishers } from './publishers.ts'

type GrantsSectionProps = { people: readonly User[]; grants: readonly HeldRole[]; places: Places }

const PublisherList = ({ people, grants, places: { sites } }: GrantsSectionProps) => (
  <section aria-labelledby="publishers-heading" className="panel mt-6 p-4">
    <h3 id="publishers-heading" className="text-sm font-semibold">
      Who may publish to production
    </h3>
    <dl className="mt-2 grid gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)]">
      {sites.map((site) => (
        <div key={site.siteId} className="contents">
          <dt className="font-medium wrap-anywhere max-sm:not-first:mt-1.5">{site.name}</dt>
          <dd className="text-muted wrap-anywhere">{listPublishers(site, people, grants).join(', ') || 'Nobody'}</dd>
        </div>
      ))}
    </dl>
  </section>
)

export const GrantsSection = (props: GrantsSectionProps) => {
  const { people, grants, places } = props
  const groups = [...new Set(grants.flatMap(({ oidcGroup }) => oidcGroup ?? []))]
  return (
    <>
      <div className="panel mt-6 divide-y divide-line">
        {groups.length > 0 && (
          <ul className="divide-y divide-line">
            {groups.map((group) => (
              <li key={group} className="px-4 py-3 text-sm">
                <p className="flex items-center gap-2 font-medium">
                  <Users className="size-4 shrink-0 text-muted" aria-hidden="true" />
                  <span className="min-w-0 wrap-anywhere">
                    {group} <span className="text-xs font-normal text-muted">group</span>
                  </span>
                </p>
                <GrantMarks
                  name={group}
                  grants={grants.filter(({ oidcGroup }) => oidcGroup === group)}
                  places={places}
                />
              </li>
            ))}
          </ul>
        )}
        <GrantForm people={people} places={places} />
      </div>
      {places.sites.length > 0 && <PublisherList {...props} />}
    </>
  )
}
