import type { AddGrant, Grant } from '@docket/api-types/grants'
import { grantRoles } from '@docket/api-types/roles'
import { RoleMark } from '#features/people/accounts/people/role-mark.tsx'
import { labelRole } from '#features/people/accounts/people/roles.ts'
import { isolate } from '#lib/text/bidi.ts'
import { toastEnd, toastUndo } from '#ui/messages/toast.ts'
import { useAddGrant, useRemoveGrant } from './grants.queries.ts'
import type { NamedConnection } from './places.ts'

const describeGrant = ({ role, connectionId }: Grant, connections: readonly NamedConnection[]): string => {
  const label = labelRole(role)
  if (connectionId === null) return `${label} of everything`
  return `${label} of ${isolate(connections.find((one) => one.connectionId === connectionId)?.name ?? 'a removed connection')}`
}

const toRequest = ({ userId, oidcGroup, connectionId, ...grant }: Grant): AddGrant | null => {
  const role = grantRoles.find((one) => one === grant.role)
  if (connectionId === null || role === undefined) return null
  return { role, connectionId, ...(userId !== null && { userId }), ...(oidcGroup !== null && { oidcGroup }) }
}

type GrantMarksProps = {
  name: string
  grants: readonly Grant[]
  connections: readonly NamedConnection[]
  /** Why they may not be taken away, or null. */
  refused?: string | null
}

export const GrantMarks = ({ name, grants, connections, refused = null }: GrantMarksProps) => {
  const taking = useRemoveGrant()
  const giving = useAddGrant()
  if (grants.length === 0) return null
  const take = (grant: Grant) => {
    const request = toRequest(grant)
    if (taking.isPending) return
    const done = `${isolate(name)} is no longer ${describeGrant(grant, connections)}.`
    const command = taking.mutateAsync(grant)
    if (request) toastUndo(command, done, () => giving.mutateAsync(request))
    else toastEnd(command, done)
  }
  return (
    <ul aria-label={`Roles of ${name} on connections`} className="mt-1.5 flex flex-wrap gap-1.5">
      {grants.map((grant) => (
        <RoleMark
          key={grant.grantId}
          text={describeGrant(grant, connections)}
          name={name}
          refused={refused}
          onTake={() => take(grant)}
        />
      ))}
    </ul>
  )
}
