import type { MaintenanceOrder } from '@docket/api-types/maintenance-orders'
import type { MaintenancePreview } from '@docket/api-types/maintenance'
import type { Status } from '@docket/api-types/status'
import type { WorkloadReader } from '#overview/workload/workload.ts'
import type { ExportsCtx } from '#records/static-exports/exports-ctx.ts'
import type { ReleasesCtx } from '#releases/releases-ctx.ts'
import type { ServiceCtx } from '#service/service-ctx.ts'
import type { Ctx } from '#ground/ctx.ts'

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

export type OverviewCtx = Pick<Ctx, 'db' | 'now'> & {
  facts: StatusFacts
  service: ServiceCtx
  exports: ExportsCtx
  sites: ReleasesCtx
  /** Null when this process runs no embedded service. */
  maintenance: Maintenance | null
  /** ISO 8601, UTC. */
  startedAt: string
  /** Hash of the running code, read once. */
  readBuild: () => Promise<string>
  workload: WorkloadReader
}
