import type { MaintenanceOrder } from '@docket/api-types/maintenance-orders'
import type { MaintenancePreview, PreviewMaintenance } from '@docket/api-types/maintenance'
import { recordAudit } from '#ground/audit/audit.ts'
import type { PerConnection } from '#service/connections/per-connection.ts'
import type { Database } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { ensureOperates, isWithin, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { Actor } from '#ground/identity/actor.ts'

/** Maintenance of the embedded service, in this process. */
export type Maintenance = {
  /** The order in words: the prompt of its job. */
  describe(order: MaintenanceOrder): string
  preview(
    projectId: string,
    order: MaintenanceOrder,
  ): Promise<{ preview: MaintenancePreview } | { missing: true } | { refused: string }>
}

/** `maintenance` is null without an embedded service in this process. */
export const maintenanceService = (deps: {
  db: Database
  maintenance: Maintenance | null
  connections: Pick<PerConnection<unknown>, 'choose' | 'isEmbedded'>
  now: () => number
}) => {
  const { db, maintenance, connections, now } = deps
  return {
    /** Throws `conflict` with the reason when there is no preview, and `not_found` for an unknown project. */
    preview: async (
      { connectionId, projectId, maintenance: order }: PreviewMaintenance & { maintenance: MaintenanceOrder },
      by: Actor,
      scope: TokenScope,
    ): Promise<MaintenancePreview> => {
      if (!isWithin(scope.projectIds, projectId))
        throw new AppError('forbidden', `This token may not create jobs of ${projectId}.`, { field: 'projectId' })
      const chosen = await connections.choose(connectionId, scope, { projectId })
      ensureOperates(scope, chosen)
      if (maintenance === null || !connections.isEmbedded(chosen)) throw noMaintenance()
      const target = { type: 'agent_job', name: projectId }
      const details = { maintenance: order.action }
      await db.transaction((tx) =>
        recordAudit(tx, by, { action: 'maintenance.previewed', at: new Date(now()), target, details }),
      )
      const found = await maintenance.preview(projectId, order)
      if ('preview' in found) return found.preview
      if ('missing' in found)
        throw new AppError('not_found', `There is no project ${projectId}. Choose another one.`, { field: 'projectId' })
      throw new AppError('conflict', found.refused)
    },
  }
}

const noMaintenance = () =>
  new AppError('conflict', 'Only Docket’s embedded service does maintenance. Choose its connection, or write a prompt.')

/** Counts what a maintenance order would do, without a job. */
export type MaintenanceService = ReturnType<typeof maintenanceService>
