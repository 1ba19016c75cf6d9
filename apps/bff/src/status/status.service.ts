import type { Status } from '@docket/api-types/status'
import { coalesce } from '#http/conditional-get/coalesce.ts'
import { everything, isWithin, type Reach } from '#http/access/reach.ts'

/** What stays the same while the server runs. */
export type StatusFacts = Pick<
  Status,
  'version' | 'mode' | 'deploymentKind' | 'bundleDelivery' | 'agentJobCreation' | 'local'
>

/** Reads what the shell shows: how the Admin API behaves, what is watched, and what this installation is. */
export type StatusService = {
  /** With counts of what `reach` holds, and no other domains and projects of this machine. */
  read(reach: Reach): Promise<Status>
}

export const statusService = (deps: {
  facts: StatusFacts
  /** How the Admin API behaves, and whether reads are held back, over all Dockets. */
  report: () => Promise<Pick<Status, 'connection' | 'watching'>>
  /** Jobs that are being watched right now. */
  active: (reach: Reach) => Promise<Status['active']>
  now: () => number
}): StatusService => {
  const { report, active, now } = deps
  const localWithin = ({ domains, projectIds }: Reach): Status['local'] => {
    const { local } = deps.facts
    return (
      local && {
        ...local,
        domains: local.domains.filter((domain) => isWithin(domains, domain)),
        projectIds: local.projectIds.filter((projectId) => isWithin(projectIds, projectId)),
      }
    )
  }
  const statusWithin = async (reach: Reach): Promise<Status> => ({
    ...deps.facts,
    local: localWithin(reach),
    ...(await report()),
    active: await active(reach),
    now: new Date(now()).toISOString(),
  })
  // Every open page asks.
  const shared = coalesce(() => statusWithin(everything))
  return { read: (reach) => (reach === everything ? shared() : statusWithin(reach)) }
}
