import { sql } from 'drizzle-orm'
import type { Database } from '#ground/db/database.ts'
import type { TokenIdentity } from '#ground/identity/identity.ts'

/** Lists the connections at which a token of some domains, projects or sites finds something. Others do not exist for it. */
export const listConnectionsWithin = async (
  db: Database,
  { domains, projectIds, sites }: Pick<TokenIdentity, 'domains' | 'projectIds' | 'sites'>,
): Promise<string[]> => {
  const names = (some: readonly string[] | null | undefined) => sql`${sql.param(some ?? [])}::text[]`
  const { rows } = await db.execute<{ id: string }>(sql`
    select connection_id as id from static_exports where domain = any(${names(domains)})
    union select connection_id from agent_jobs where project_id = any(${names(projectIds)})
    union select connection_id from projects where project_id = any(${names(projectIds)})
    union select connection_id from sites where coalesce(joined_into, site_id)::text = any(${names(sites?.map(({ siteId }) => siteId))})`)
  return rows.map(({ id }) => id)
}
