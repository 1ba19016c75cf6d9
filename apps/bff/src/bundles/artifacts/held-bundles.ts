import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'

/** SQL condition for a bundle that a channel shows or may roll back to, and that must not be deleted. `sha256` includes its table. */
export const isHeldBundle = (sha256: PgColumn | SQL): SQL<boolean> =>
  sql<boolean>`exists (select from releases h where h.sha256 = ${sha256} and h.is_held)`

/** Names the channels that hold bundles, such as `production of docs.example.com`, by the SHA-256 of the bundle. */
export const listHolders = async (db: Tx, sums: readonly string[]): Promise<ReadonlyMap<string, string[]>> => {
  if (sums.length === 0) return new Map()
  const { rows } = await db.execute<{ sha256: string; holders: string[] }>(sql`
    select sha256, array_agg(holder order by holder) as holders from (
      select distinct r.sha256, c.name || ' of ' || coalesce(s.name, s.domain) as holder
      from releases r join channels c using (channel_id) join sites s using (site_id)
      where r.is_held and r.sha256 = any(${sql.param([...sums])}::text[])) h
    group by sha256`)
  return new Map(rows.map(({ sha256, holders }) => [sha256, holders]))
}

/** Call it first in the transaction, because it locks the channels. They show the bundle until they follow the next one. */
export const releaseFromRules = async (tx: Tx, sha256: string): Promise<void> => {
  const byRule = sql`select c.channel_id from channels c where c.follows_exports and c.pinned_at is null
    and exists (select from releases r where r.channel_id = c.channel_id and r.sha256 = ${sha256} and r.is_held)`
  await tx.execute(sql`${byRule} order by c.channel_id for update`)
  await tx.execute(
    sql`update releases set is_held = false where sha256 = ${sha256} and is_held and channel_id in (${byRule})`,
  )
}

/** Restores the references of held releases to their bundles after a restore by an earlier version dropped them. */
export const reconnectReleases = (tx: Tx) =>
  tx.execute(sql`update releases r set sha256 = b.sha256 from stored_bundles b
    where r.is_held and r.sha256 is null and b.sha256 = r.sum and b.state <> 'deleting'`)

/** Throws `conflict` for a bundle that a channel shows or may roll back to. Call it when the row of the bundle is locked. */
export const refuseHeldBundle = async (tx: Tx, sha256: string): Promise<void> => {
  const { rows } = await tx.execute<{ channel: string; site: string; shows: boolean }>(sql`
    select c.name as channel, coalesce(s.name, s.domain) as site, r.release_id = c.current_release_id as shows
    from releases r join channels c using (channel_id) join sites s using (site_id)
    where r.sha256 = ${sha256} and r.is_held order by shows desc, c.name = 'production' desc, c.name limit 1`)
  const [holder] = rows
  if (holder === undefined) return
  const { channel, site, shows } = holder
  const what = shows
    ? `The channel ${channel} of ${site} shows this bundle. Publish another one first.`
    : `The channel ${channel} of ${site} can roll back to this bundle, as it can to its last 5 releases. Delete it after later releases.`
  throw new AppError('conflict', what)
}
