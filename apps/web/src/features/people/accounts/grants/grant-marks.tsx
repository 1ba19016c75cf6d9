import type { AddGrant, Grant, AddSiteGrant, SiteGrant } from '@docket/api-types/grants'
import { grantRoles } from '@docket/api-types/roles'
import { X } from 'lucide-react'
import { labelRole } from '#features/people/accounts/people/roles.ts'
import { isolateText } from '#lib/text/bidi.ts'
import { refusedProps } from '#ui/buttons/button.tsx'
import { toastEnd, toastUndo } from '#ui/live/use-write.ts'
import { showReason } from '#ui/overlays/reason.ts'
import { useAddGrant, useAddSiteGrant, useRemoveGrant, useRemoveSiteGrant } from './grants.queries.ts'
import { nameSitePlace, type NamedConnection, type RoleSite } from './places.ts'

const describeGrant = ({ role, connectionId }: Grant, connections: readonly NamedConnection[]): string =>
  connectionId === null
    ? `${labelRole(role)} of everything`
    : `${labelRole(role)} of ${isolateText(connections.find((one) => one.connectionId === connectionId)?.name ?? 'a removed connection')}`

const describeSiteGrant = (grant: SiteGrant, sites: readonly RoleSite[]): string =>
  `${labelRole(grant.role)} of ${nameSitePlace(grant, sites)}`

const pickSubject = ({ userId, oidcGroup }: Pick<Grant, 'userId' | 'oidcGroup'>) => ({
  ...(userId !== null && { userId }),
  ...(oidcGroup !== null && { oidcGroup }),
})

const toAddGrantRequest = ({ connectionId, ...grant }: Grant): AddGrant | null => {
  const role = grantRoles.find((one) => one === grant.role)
  return connectionId === null || role === undefined ? null : { role, connectionId, ...pickSubject(grant) }
}

const toAddSiteGrantRequest = ({ role, siteId, channelId, ...grant }: SiteGrant): AddSiteGrant => ({
  role,
  siteId,
  channelId,
  ...pickSubject(grant),
})

type MarksProps<G> = { name: string; grants: readonly G[]; refused?: string | null }

type RoleMarksProps<G> = MarksProps<G> & {
  on: 'connections' | 'sites'
  describe: (grant: G) => string
  take: (grant: G, done: string) => void
}

const RoleMarks = <G extends { grantId: string }>(props: RoleMarksProps<G>) => {
  const { name, grants, refused = null, on, describe, take } = props
  if (grants.length === 0) return null
  return (
    <ul aria-label={`Roles of ${name} on ${on}`} className="mt-1.5 flex flex-wrap gap-1.5">
      {grants.map((grant) => (
        <li
          key={grant.grantId}
          className="flex max-w-full items-center rounded-md border border-line bg-sunken pl-2 text-xs"
        >
          <span className="min-w-0 truncate" title={describe(grant)}>
            {describe(grant)}
          </span>
          <button
            type="button"
            aria-label={`Remove: ${describe(grant)}, ${name}`}
            {...refusedProps(refused)}
            aria-disabled={refused !== null || undefined}
            onClick={({ currentTarget }) =>
              refused === null
                ? take(grant, `${isolateText(name)} is no longer ${describe(grant)}.`)
                : showReason(currentTarget, refused)
            }
            className="grid size-6 shrink-0 place-items-center rounded-r-md text-muted hover:bg-hover hover:text-text data-refused:cursor-not-allowed data-refused:opacity-60"
          >
            <X className="size-3.5" aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  )
}

export const GrantMarks = (props: MarksProps<Grant> & { connections: readonly NamedConnection[] }) => {
  const taking = useRemoveGrant()
  const giving = useAddGrant()
  const take = (grant: Grant, done: string) => {
    if (taking.isPending) return
    const request = toAddGrantRequest(grant)
    const command = taking.mutateAsync(grant)
    if (request) toastUndo(command, done, () => giving.mutateAsync(request))
    else toastEnd(command, done)
  }
  return (
    <RoleMarks {...props} on="connections" describe={(grant) => describeGrant(grant, props.connections)} take={take} />
  )
}

export const SiteGrantMarks = (props: MarksProps<SiteGrant> & { sites: readonly RoleSite[] }) => {
  const taking = useRemoveSiteGrant()
  const giving = useAddSiteGrant()
  const take = (grant: SiteGrant, done: string) => {
    if (taking.isPending) return
    toastUndo(taking.mutateAsync(grant), done, () => giving.mutateAsync(toAddSiteGrantRequest(grant)))
  }
  return <RoleMarks {...props} on="sites" describe={(grant) => describeSiteGrant(grant, props.sites)} take={take} />
}
