import { aboutDocket } from '#overview/about/about.ts'
import { type ReadWorkload, workloadReader } from '#overview/workload/workload.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { OverviewCtx } from './overview-ctx.ts'

/** Opens the area for the installation as a whole. */
export const openOverview = (
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  deps: Omit<OverviewCtx, 'db' | 'now' | 'about' | 'workload'> & {
    /** Null when this process runs no embedded service. */
    readWorkload: ReadWorkload | null
  },
): OverviewCtx => {
  const { facts, summary, registry, maintenance, readWorkload } = deps
  const about = aboutDocket({ db, version: facts.version, now })
  const workload = workloadReader({ read: readWorkload, now })
  return { db, now, facts, summary, registry, maintenance, about, workload }
}
