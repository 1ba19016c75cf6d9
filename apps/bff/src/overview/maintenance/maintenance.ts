import type { MaintenanceOrder } from '@docket/api-types/maintenance-orders'
import type { MaintenancePreview, PreviewMaintenance } from '@docket/api-types/maintenance'
import { recordAudit } from '#ground/audit/audit.ts'
import type { OverviewCtx } from '#overview/overview-ctx.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { ensureOperates, isWithin, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { Actor } from '#ground/identity/identity.ts'

const noMaintenanceError = () =>
  new AppError('conflict', 'Only this machine does maintenance. Choose it as the connection, or write a prompt.')

/** Throws `conflict` with the reason when there is no preview, and `not_found` for an unknown project. */
export const previewMaintenance = async (
  { db, maintenance, service, now }: OverviewCtx,
  { connectionId, projectId, maintenance: order }: PreviewMaintenance & { maintenance: MaintenanceOrder },
  by: Actor,
  scope: TokenScope,
): Promise<MaintenancePreview> => {
  if (!isWithin(scope.projectIds, projectId))
    throw new AppError('forbidden', `This token may not create jobs of ${projectId}.`, { field: 'projectId' })
  const chosen = await service.registry.choose(connectionId, scope, { projectId })
  ensureOperates(scope, chosen)
  if (maintenance === null || !service.registry.isEmbedded(chosen)) throw noMaintenanceError()
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
}
