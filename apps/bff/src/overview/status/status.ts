import { countActive as countWorkingJobs } from '#records/agent-jobs/agent-jobs.list.ts'
import { countActive as countRunningExports } from '#records/static-exports/static-exports.list.ts'
import type { Status } from '@docket/api-types/status'
import { everything, isRestricted, isWithin, readScope, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { Identity } from '#ground/identity/identity.ts'
import { intersectNames } from '#ground/identity/rights.ts'
import { summariseConnections } from '#service/connection-settings/connection-reports.ts'
import { listConnectionsWithin } from '#service/connections/connection-rows.ts'
import type { OverviewCtx, StatusFacts } from '#overview/overview-ctx.ts'

const filterLocal = ({ local }: StatusFacts, { domains, projectIds }: TokenScope): Status['local'] =>
  local && {
    ...local,
    domains: local.domains.filter((domain) => isWithin(domains, domain)),
    projectIds: local.projectIds.filter((projectId) => isWithin(projectIds, projectId)),
  }

export const readStatusWithin = async (
  { db, facts, service, now }: OverviewCtx,
  scope: TokenScope,
): Promise<Status> => {
  const reported = await summariseConnections(service, scope)
  const [exporting, working] = await Promise.all([countRunningExports(db, scope), countWorkingJobs(db, scope)])
  return {
    ...facts,
    local: filterLocal(facts, scope),
    ...reported,
    active: { staticExports: exporting, agentJobs: working },
    now: new Date(now()).toISOString(),
  }
}

/** Includes only what the current user may see. `readWhole` is for people who see everything. */
export const readStatus = async (ctx: OverviewCtx, identity: Identity, readWhole: () => Promise<Status>) => {
  const scope = readScope(identity)
  if (scope === everything) return readWhole()
  const found =
    identity?.kind === 'token' && isRestricted(identity) ? await listConnectionsWithin(ctx.db, identity) : null
  return readStatusWithin(ctx, { ...scope, connectionIds: intersectNames(scope.connectionIds, found) })
}
