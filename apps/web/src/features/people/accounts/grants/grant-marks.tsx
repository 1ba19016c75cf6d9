import type { AddGrant, AddSiteGrant } from '@docket/api-types/grants'
import { grantRoles } from '@docket/api-types/roles'
import { X } from 'lucide-react'
import { labelRole } from '#features/people/accounts/people/roles.ts'
import { isolateText } from '#lib/text/format.ts'
import { refusedProps } from '#ui/buttons/button.tsx'
import { toastEnd, toastUndo } from '#ui/live/use-write.ts'
import { showReason } from '#ui/overlays/reason.ts'
import { useAddGrant, useRemoveGrant } from './grants.queries.ts'
import { nameHeldPlace, type HeldRole, type Places } from './places.ts'

/** Request that grants a role again; null for one that Docket granted by itself. */
const toAddRequest = (grant: HeldRole): AddGrant | AddSiteGrant | null => {
  const { userId, oidcGroup } = grant
  const role = grantRoles.find((one) => one === grant.role)
  if (role === undefined) return null
  const base = { role, ...(userId !== null && { userId }), ...(oidcGroup !== null && { oidcGroup }) }
  if ('siteId' in grant) return { ...base, siteId: grant.siteId, channelId: grant.channelId }
  return grant.connectionId === null ? null : { ...base, connectionId: grant.connectionId }
}

type GrantMarksProps = { name: string; grants: readonly HeldRole[]; places: Places; refused?: string | null }

export const GrantMarks = ({ name, grants, places, refused = null }: GrantMarksProps) => {
  const taking = useRemoveGrant()
  const giving = useAddGrant()
  const take = (grant: HeldRole, done: string) => {
    if (taking.isPending) return
    const request = toAddRequest(grant)
    const command = taking.mutateAsync(grant)
    if (request) toastUndo(command, done, () => giving.mutateAsync(request))
    else toastEnd(command, done)
  }
  if (grants.length === 0) return null
  return (
    <ul aria-label={`Roles of ${name}`} className="mt-1.5 flex flex-wrap gap-1.5">
      {grants.map((grant) => {
        const role = `${labelRole(grant.role)} of ${nameHeldPlace(grant, places)}`
        return (
          <li
            key={grant.grantId}
            className="flex max-w-full items-center rounded-md border border-line bg-sunken pl-2 text-xs"
          >
            <span className="min-w-0 truncate" title={role}>
              {role}
            </span>
            <button
              type="button"
              aria-label={`Remove: ${role}, ${name}`}
              {...refusedProps(refused)}
              onClick={({ currentTarget }) =>
                refused === null
                  ? take(grant, `${isolateText(name)} is no longer ${role}.`)
                  : showReason(currentTarget, refused)
              }
              className="grid size-6 shrink-0 place-items-center rounded-r-md text-muted hover:bg-hover hover:text-text data-refused:cursor-not-allowed data-refused:opacity-60"
            >
              <X className="size-3.5" aria-hidden="true" />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
