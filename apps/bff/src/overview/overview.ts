import { readBuild } from '#overview/about/about.ts'
import { type ReadWorkload, createWorkloadReader } from '#overview/workload/workload.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { OverviewCtx } from './overview-ctx.ts'

export const openOverview = (
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  deps: Pick<OverviewCtx, 'facts' | 'service' | 'exports' | 'sites' | 'maintenance'> & {
    /** Null when this process runs no embedded service. */
    readWorkload: ReadWorkload | null
  },
): OverviewCtx => {
  const { facts, service, exports, sites, maintenance, readWorkload } = deps
  let build: Promise<string> | undefined
  return {
    db,
    now,
    facts,
    service,
    exports,
    sites,
    maintenance,
    workload: createWorkloadReader({ read: readWorkload, now }),
    startedAt: new Date(now()).toISOString(),
    readBuild: () => (build ??= readBuild()),
  }
}
