import type { Status } from '@docket/api-types/status'
import { coalesce } from '#http/conditional-get/coalesce.ts'
import { everything, isWithin, type TokenScope } from '#http/access/token-scope.ts'

/** What stays the same while the server runs. */
export type StatusFacts = Pick<
  Status,
  'version' | 'mode' | 'deploymentKind' | 'bundleDelivery' | 'agentJobCreation' | 'local'
>

/** Reads what the shell shows: how the Admin API behaves, what is watched, and what this installation is. */
export type StatusService = {
  /** With counts of what `scope` holds, and no other domains and projects of this machine. */
  read(scope: TokenScope): Promise<Status>
}

export const statusService = (deps: {
  facts: StatusFacts
  /** How the Admin API behaves, and whether reads are held back, over all Dockets. */
  report: () => Promise<Pick<Status, 'connection' | 'watching'>>
  /** Jobs that are being watched right now. */
  active: (scope: TokenScope) => Promise<Status['active']>
  now: () => number
}): StatusService => {
  const { report, active, now } = deps
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
    ...(await report()),
    active: await active(scope),
    now: new Date(now()).toISOString(),
  })
  // Every open page asks.
  const shared = coalesce(() => statusWithin(everything))
  return { read: (scope) => (scope === everything ? shared() : statusWithin(scope)) }
}
