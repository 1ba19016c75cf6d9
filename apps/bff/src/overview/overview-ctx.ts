import type { MaintenanceOrder } from '@docket/api-types/maintenance-orders'
import type { MaintenancePreview } from '@docket/api-types/maintenance'
import type { Status } from '@docket/api-types/status'
import type { WorkloadReader } from '#overview/workload/workload.ts'
import type { AboutDocket } from '#overview/about/about.ts'
import type { Connections } from '#service/service.ts'
import type { ConnectionSummary } from '#service/connection-settings/connection-reports.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'
import type { Ctx } from '#ground/ctx.ts'

/** Maintenance orders of the embedded service, in this process. */
export type Maintenance = {
  /** Text of the order, which becomes the prompt of its job. */
  describe(order: MaintenanceOrder): string
  preview(
    projectId: string,
    order: MaintenanceOrder,
  ): Promise<{ preview: MaintenancePreview } | { missing: true } | { refused: string }>
}

/** Facts that stay the same while the server runs. */
export type StatusFacts = Pick<Status, 'version' | 'bundleDelivery' | 'local'>

/** Context of the functions about the installation as a whole. */
export type OverviewCtx = Pick<Ctx, 'db' | 'now'> & {
  facts: StatusFacts
  /** State of the connections over all processes of Docket, and why reads are paused. */
  summary: (scope: TokenScope) => Promise<ConnectionSummary>
  registry: Connections
  /** Null when this process runs no embedded service. */
  maintenance: Maintenance | null
  about: AboutDocket
  workload: WorkloadReader
}
