import { takeTurn } from '#ground/db/database.ts'
import type { Project, SaveProject } from '@docket/api-types/connections'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Ctx } from '#ground/ctx.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { isWithin, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { ServiceCtx } from '#service/service-ctx.ts'
import { projects } from './projects.table.ts'

const maxListed = 500

export const listProjects = async (
  { db }: Ctx,
  { projectIds, connectionIds }: TokenScope,
): Promise<{ items: Project[] }> => {
  const followed = sql`select distinct connection_id, project_id from agent_jobs where removed_at is null`
  const { rows } = await db.execute<Project>(
    sql`select connection_id as "connectionId", project_id as "projectId", name, coalesce(is_default, false) as "isDefault"
      from (${followed}) as followed full join projects using (connection_id, project_id)
      order by is_default desc nulls last, name nulls last, project_id limit ${maxListed}`,
  )
  return {
    items: rows.filter(
      ({ connectionId, projectId }) => isWithin(connectionIds, connectionId) && isWithin(projectIds, projectId),
    ),
  }
}

/** A new default project replaces the previous one. */
export const nameProject = async (
  { db, registry, now }: ServiceCtx,
  { projectId, name, isDefault, ...asked }: z.output<typeof SaveProject>,
  by: Actor,
  scope: TokenScope,
): Promise<Project> => {
  if (!isWithin(scope.projectIds, projectId))
    throw new AppError('forbidden', `This token may not name ${projectId}.`, { field: 'projectId' })
  const connectionId = await registry.choose(asked.connectionId, scope)
  await db.transaction(async (tx) => {
    await takeTurn(tx, `projects of ${connectionId}`)
    if (isDefault)
      await tx
        .update(projects)
        .set({ isDefault: false })
        .where(and(eq(projects.connectionId, connectionId), projects.isDefault))
    await tx
      .insert(projects)
      .values({ connectionId, projectId, name, isDefault })
      .onConflictDoUpdate({ target: [projects.connectionId, projects.projectId], set: { name, isDefault } })
    await recordAudit(tx, by, {
      action: 'project.named',
      at: new Date(now()),
      target: { type: 'project', id: projectId, name: name ?? projectId },
      details: { default: isDefault },
    })
  })
  return { connectionId, projectId, name, isDefault }
}
