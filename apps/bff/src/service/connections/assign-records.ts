import type { RecordMove } from '@docket/api-types/connections'
import { sql } from 'drizzle-orm'
import type { Database, Tx } from '#ground/db/database.ts'
import { bumpRevision } from '#ground/db/revision.ts'
import { type ConnectionRow, readConnections } from './connection-rows.ts'
import { unassignedId } from '#ground/db/connections.table.ts'

/** Rows `r` of one connection that another one has already: its jobs, and its sites with all their exports. */
const listClashes = (from: string, to: string) => {
  const siteClash = sql`exists (select from sites a join sites b using (domain) where a.domain = r.domain
    and a.connection_id = ${from}::uuid and b.connection_id = ${to}::uuid)`
  return {
    sites: siteClash,
    staticExports: sql`(${siteClash} or exists (
      select from static_exports o where o.connection_id = ${to}::uuid and o.job_id = r.job_id and o.removed_at is null))`,
    agentJobs: sql`exists (
      select from agent_jobs o where o.connection_id = ${to}::uuid and o.project_id = r.project_id and o.id = r.id)`,
  }
}

/** Rights and settings that belong to the service, not to its address, come to cover the connection `to`, too. */
const copyRights = async (tx: Tx, from: string, to: string): Promise<void> => {
  await tx.execute(sql`insert into grants (user_id, oidc_group, role, connection_id, created_by)
    select user_id, oidc_group, role, ${to}::uuid, created_by from grants where connection_id = ${from}::uuid on conflict do nothing`)
  await tx.execute(sql`update api_tokens set connection_ids = connection_ids || to_jsonb(${to}::text)
    where connection_ids ? ${from} and not connection_ids ? ${to}`)
  await tx.execute(sql`insert into projects (connection_id, project_id, name, is_default)
    select ${to}::uuid, project_id, name, is_default
    and not exists (select from projects where connection_id = ${to}::uuid and is_default)
    from projects where connection_id = ${from}::uuid on conflict do nothing`)
  await tx.execute(sql`update code_hosts r set connection_id = ${to}::uuid where connection_id = ${from}::uuid
    and not exists (select from code_hosts o where o.connection_id = ${to}::uuid and o.url = r.url)`)
  await tx.execute(sql`insert into progress_scales (connection_id, fractions, percent) select ${to}::uuid, fractions, percent
    from progress_scales where connection_id = ${from}::uuid on conflict do nothing`)
  await tx.execute(sql`update connections t set status_meanings = f.status_meanings || t.status_meanings,
    progress_scale = coalesce(t.progress_scale, f.progress_scale)
    from connections f where t.connection_id = ${to}::uuid and f.connection_id = ${from}::uuid`)
}

/** Counts what `moveRecords` would move. Removed records move, but don't count. */
export const previewMove = async (tx: Tx, from: string, to: string): Promise<RecordMove> => {
  const clashes = listClashes(from, to)
  const count = (table: string, condition: ReturnType<typeof sql>) =>
    sql`(select count(*)::int from ${sql.identifier(table)} r where connection_id = ${from}::uuid and ${condition})`
  // Records without a known service have no rights of their own.
  const follows = sql`${from !== unassignedId}::boolean`
  const countAll = async (which: (clash: ReturnType<typeof sql>) => ReturnType<typeof sql>) => {
    const { rows } = await tx.execute<RecordMove['moves']>(sql`select
      ${count('static_exports', sql`removed_at is null and ${which(clashes.staticExports)}`)} as "staticExports",
      ${count('agent_jobs', sql`removed_at is null and ${which(clashes.agentJobs)}`)} as "agentJobs",
      ${count('sites', which(clashes.sites))} as sites, ${count('grants', follows)} as roles,
      (select count(*)::int from api_tokens where connection_ids ? ${from} and revoked_at is null and ${follows}) as tokens`)
    return rows[0]!
  }
  return { moves: await countAll((clash) => sql`not ${clash}`), stays: await countAll((clash) => clash) }
}

/**
 * Moves everything that names the connection `from`, except what `to` has already. Releases, deliveries, tokens and roles of a site follow
 * it. Budget, pauses and key history stay with the connection that made the calls. Returns how many records moved.
 */
export const moveRecords = async (tx: Tx, from: string, to: string): Promise<number> => {
  const clashes = listClashes(from, to)
  const move = async (table: string, except?: ReturnType<typeof sql>) => {
    const only = except === undefined ? sql`` : sql`and not ${except}`
    const moved = await tx.execute(
      sql`update ${sql.identifier(table)} r set connection_id = ${to}::uuid where connection_id = ${from}::uuid ${only}`,
    )
    return moved.rowCount ?? 0
  }
  const moved = (await move('static_exports', clashes.staticExports)) + (await move('agent_jobs', clashes.agentJobs))
  await move('sites', clashes.sites)
  await move('agent_prompts')
  await tx.execute(sql`update history_events e set connection_id = ${to}::uuid
    where record_type = 'agent_job' and connection_id = ${from}::uuid and not exists (select from agent_jobs j
      where j.connection_id = ${from}::uuid and j.project_id = e.record_key::jsonb ->> 0 and j.id = e.record_key::jsonb ->> 1)`)
  await tx.execute(
    sql`update saved_views set query = replace(query, ${from}, ${to}) where position(${from} in query) > 0`,
  )
  if (from !== unassignedId) await copyRights(tx, from, to)
  if (moved > 0) for (const list of ['static_exports', 'agent_jobs'] as const) await bumpRevision(tx, list)
  return moved
}

/** True when a service could be asked about something of this connection. */
export const hasRecords = async (tx: Tx, connectionId: string): Promise<boolean> => {
  const { rows } = await tx.execute(sql`
    select where exists (select from static_exports where connection_id = ${connectionId}::uuid)
      or exists (select from agent_jobs where connection_id = ${connectionId}::uuid)
      or exists (select from agent_prompts where connection_id = ${connectionId}::uuid)`)
  return rows.length > 0
}

const readOrigin = ({ baseUrl }: ConnectionRow) => (baseUrl === null ? null : new URL(baseUrl).origin)

/**
 * Assigns records of an earlier version to the connection that they certainly belong to: that version called only one address, and one
 * connection has it. `embeddedOrigins`: addresses that only the embedded service had. Returns how many records were assigned.
 */
export const assignRecords = (db: Database, embeddedOrigins: readonly string[]): Promise<number> =>
  db.transaction(async (tx) => {
    if (!(await hasRecords(tx, unassignedId))) return 0
    // Versions without connections counted calls by origin.
    const { rows } = await tx.execute<{ origin: string }>(sql`
      select origin from connection_states where origin like 'http%' union select origin from call_budgets where origin like 'http%'`)
    const [called, another] = rows.map(({ origin }) => origin)
    if (called === undefined || another !== undefined) return 0
    const known = await readConnections(tx)
    const matching = known.filter((row) =>
      row.kind === 'embedded'
        ? embeddedOrigins.includes(called)
        : row.source === 'environment' && readOrigin(row) === called,
    )
    const [only, second] = matching
    if (only === undefined || second !== undefined) return 0
    return moveRecords(tx, unassignedId, only.connectionId)
  })
