import type { Project, SaveProject } from '@docket/api-types/connections'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Database } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { isWithin, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { Actor } from '#ground/identity/actor.ts'
import { projects } from './projects.table.ts'
import type { PerConnection } from '#service/connections/per-connection.ts'

const maxListed = 500

/** Names that people give to projects, and the project that forms choose beforehand. */
export const projectService = (deps: { db: Database; choose: PerConnection<unknown>['choose']; now: () => number }) => {
  const { db, choose, now } = deps
  return {
    /** Named projects and those of followed jobs, within the scope. */
    list: async ({ projectIds, connectionIds }: TokenScope): Promise<{ items: Project[] }> => {
      const followed = sql`select distinct connection_id, project_id from agent_jobs where removed_at is null`
      const { rows } = await db.execute<{
        connection_id: string
        project_id: string
        name: string | null
        is_default: boolean | null
      }>(
        sql`select connection_id, project_id, name, is_default from (${followed}) as followed full join projects using (connection_id, project_id)
          order by is_default desc nulls last, name nulls last, project_id limit ${maxListed}`,
      )
      const items = rows.map((row) => ({
        connectionId: row.connection_id,
        projectId: row.project_id,
        name: row.name,
        isDefault: row.is_default ?? false,
      }))
      return {
        items: items.filter(
          ({ connectionId, projectId }) => isWithin(connectionIds, connectionId) && isWithin(projectIds, projectId),
        ),
      }
    },
    /** Names a project. The default one replaces the one before. */
    save: async (request: z.output<typeof SaveProject>, by: Actor, scope: TokenScope): Promise<Project> => {
      const { projectId, name, isDefault } = request
      if (!isWithin(scope.projectIds, projectId))
        throw new AppError('forbidden', `This token may not name ${projectId}.`, { field: 'projectId' })
      const connectionId = await choose(request.connectionId, scope)
      await db.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`projects of ${connectionId}`}, 0))`)
        const here = eq(projects.connectionId, connectionId)
        if (isDefault)
          await tx
            .update(projects)
            .set({ isDefault: false })
            .where(and(here, eq(projects.isDefault, true)))
        await tx
          .insert(projects)
          .values({ connectionId, projectId, name, isDefault })
          .onConflictDoUpdate({ target: [projects.connectionId, projects.projectId], set: { name, isDefault } })
        const target = { type: 'project', id: projectId, name: name ?? projectId }
        await recordAudit(tx, by, {
          action: 'project.named',
          at: new Date(now()),
          target,
          details: { default: isDefault },
        })
      })
      return { connectionId, projectId, name, isDefault }
    },
  }
}

/** Projects of agent jobs. */
export type ProjectService = ReturnType<typeof projectService>
