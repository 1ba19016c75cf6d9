import { sql } from 'drizzle-orm'
import type { Database, Tx } from '#ground/db/database.ts'
import { bumpRevision } from '#ground/db/revision.ts'
import { type ConnectionRow, readConnections } from './connection-rows.ts'
import { unassignedId } from '#ground/db/connections.table.ts'

/** Skips records whose id already exists at the target. Returns how many moved. */
export const moveRecords = async (tx: Tx, from: string, to: string): Promise<number> => {
  let moved = 0
  const move = async (statement: ReturnType<typeof sql>) => {
    moved += (await tx.execute(statement)).rowCount ?? 0
  }
  await move(sql`update static_exports r set connection_id = ${to}::uuid where connection_id = ${from}::uuid and not exists (
    select from static_exports o where o.connection_id = ${to}::uuid and o.job_id = r.job_id and o.removed_at is null)`)
  await move(sql`update agent_jobs r set connection_id = ${to}::uuid where connection_id = ${from}::uuid and not exists (
    select from agent_jobs o where o.connection_id = ${to}::uuid and o.project_id = r.project_id and o.id = r.id)`)
  await tx.execute(sql`update agent_prompts set connection_id = ${to}::uuid where connection_id = ${from}::uuid`)
  if (moved > 0) for (const list of ['static_exports', 'agent_jobs'] as const) await bumpRevision(tx, list)
  return moved
}

const readOrigin = ({ baseUrl }: ConnectionRow) => (baseUrl === null ? null : new URL(baseUrl).origin)

/**
 * Assigns records of an earlier version to the connection that they certainly belong to: that version called only one address, and one
 * connection has it. `embeddedOrigins`: addresses that only the embedded service had. Returns how many records were assigned.
 */
export const assignRecords = (db: Database, embeddedOrigins: readonly string[]): Promise<number> =>
  db.transaction(async (tx) => {
    const { rows: left } = await tx.execute(sql`
      select where exists (select from static_exports where connection_id = ${unassignedId}::uuid)
        or exists (select from agent_jobs where connection_id = ${unassignedId}::uuid)
        or exists (select from agent_prompts where connection_id = ${unassignedId}::uuid)`)
    if (left.length === 0) return 0
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
