import type { AddSiteGrant, SiteGrant } from '@docket/api-types/site-grants'
import { RoleMark } from '#features/people/accounts/people/role-mark.tsx'
import { labelRole } from '#features/people/accounts/people/roles.ts'
import { isolate } from '#lib/text/bidi.ts'
import { toastUndo } from '#ui/messages/toast.ts'
import { useAddSiteGrant, useRemoveSiteGrant } from './grants.queries.ts'
import { nameSitePlace, type RoleSite } from './places.ts'

const describe = (grant: SiteGrant, sites: readonly RoleSite[]): string =>
  `${labelRole(grant.role)} of ${nameSitePlace(grant, sites)}`

const toRequest = ({ userId, oidcGroup, role, siteId, channelId }: SiteGrant): AddSiteGrant => ({
  role,
  siteId,
  channelId,
  ...(userId !== null && { userId }),
  ...(oidcGroup !== null && { oidcGroup }),
})

type SiteGrantMarksProps = {
  name: string
  grants: readonly SiteGrant[]
  sites: readonly RoleSite[]
  /** Why they may not be taken away, or null. */
  refused?: string | null
}

export const SiteGrantMarks = ({ name, grants, sites, refused = null }: SiteGrantMarksProps) => {
  const taking = useRemoveSiteGrant()
  const giving = useAddSiteGrant()
  if (grants.length === 0) return null
  const take = (grant: SiteGrant) => {
    if (taking.isPending) return
    toastUndo(taking.mutateAsync(grant), `${isolate(name)} is no longer ${describe(grant, sites)}.`, () =>
      giving.mutateAsync(toRequest(grant)),
    )
  }
  return (
    <ul aria-label={`Roles of ${name} on sites`} className="mt-1.5 flex flex-wrap gap-1.5">
      {grants.map((grant) => (
        <RoleMark
          key={grant.grantId}
          text={describe(grant, sites)}
          name={name}
          refused={refused}
          onTake={() => take(grant)}
        />
      ))}
    </ul>
  )
}
