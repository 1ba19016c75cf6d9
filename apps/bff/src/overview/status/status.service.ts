import type { Status } from '@docket/api-types/status'
import { coalesce } from '#ground/http/conditional-get/coalesce.ts'
import { everything, isRestricted, isWithin, readScope, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { Identity, TokenIdentity } from '#ground/identity/identity.ts'
import { intersect } from '#ground/identity/rights.ts'

/** Facts that stay the same while the server runs. */
export type StatusFacts = Pick<Status, 'version' | 'bundleDelivery' | 'local'>

export const statusService = (deps: {
  facts: StatusFacts
  /** The connections over all Dockets, and why reads are paused. */
  report: (scope: TokenScope) => Promise<Omit<Status, keyof StatusFacts | 'active' | 'now'>>
  /** Connections that a limited token may know. */
  findConnections: (token: TokenIdentity) => Promise<string[]>
  /** Jobs that are being watched right now. */
  active: (scope: TokenScope) => Promise<Status['active']>
  now: () => number
}) => {
  const { report, findConnections, active, now } = deps
  const localWithin = ({ domains, projectIds }: TokenScope): Status['local'] => {
    const { local } = deps.facts
    return (
      local && {
        ...local,
        domains: local.domains.filter((domain) => isWithin(domains, domain)),
        projectIds: local.projectIds.filter((projectId) => isWithin(projectIds, projectId)),
      }
    )
  }
  const statusWithin = async (scope: TokenScope): Promise<Status> => ({
    ...deps.facts,
    local: localWithin(scope),
    ...(await report(scope)),
    active: await active(scope),
    now: new Date(now()).toISOString(),
  })
  // Shared, because every open page asks.
  const shared = coalesce(() => statusWithin(everything))
  return {
    /** With counts of what somebody may see, and no other connections, and no other domains and projects of this machine. */
    read: async (identity: Identity) => {
      const scope = readScope(identity)
      if (scope === everything) return shared()
      const found = identity?.kind === 'token' && isRestricted(identity) ? await findConnections(identity) : null
      return statusWithin({ ...scope, connectionIds: intersect(scope.connectionIds, found) })
    },
  }
}

/** Reads what the shell shows: how the Admin API behaves, what is watched, and what this installation is. */
export type StatusService = ReturnType<typeof statusService>
