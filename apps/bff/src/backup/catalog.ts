import type { ClientBase } from 'pg'
import { BackupRefused } from './refused.ts'
import type { AppliedMigration, Manifest } from './manifest.ts'

/** A table as the database describes it. */
export type Table = { name: string; columns: string[]; key: string[]; refersTo: string[] }

/** Quotes a name for a statement. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const tablesQuery = `
  select c.relname as name,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    coalesce((select array_agg(a.attname::text order by k.place) from pg_index i, unnest(i.indkey) with ordinality k (attnum, place), pg_attribute a
      where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum), '{}') as key,
    coalesce((select array_agg(distinct r.relname::text) from pg_constraint f join pg_class r on r.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid), '{}') as "refersTo"
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname collate "C"`

/** Lists the tables of the schema `public`, each after those it refers to. */
export const listTables = async (client: ClientBase): Promise<Table[]> => {
  const { rows: waiting } = await client.query<Table>(tablesQuery)
  const sorted: Table[] = []
  while (waiting.length > 0) {
    const at = waiting.findIndex(
      ({ refersTo }) => !refersTo.some((name) => waiting.some((table) => table.name === name)),
    )
    // Tables that refer to each other would need deferred constraints; a restore then names the missing row.
    sorted.push(...waiting.splice(Math.max(at, 0), 1))
  }
  return sorted
}

/** Lists the sequences of the schema `public` with their state. */
export const listSequences = async (client: ClientBase): Promise<Manifest['sequences']> => {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by relname collate "C"`,
  )
  const found: Manifest['sequences'] = []
  for (const { name } of rows) {
    const { rows: states } = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from public.${quoted(name)}`,
    )
    found.push({ name, ...states[0]! })
  }
  return found
}

/** Lists the migrations of a database, oldest first; empty for a database without Docket. */
export const appliedMigrations = async (client: ClientBase): Promise<AppliedMigration[]> => {
  const { rows: known } = await client.query<{ is: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as is`,
  )
  if (known[0]?.is !== true) return []
  const { rows } = await client.query<{ hash: string; createdAt: string }>(
    `select hash, created_at::text as "createdAt" from drizzle.__drizzle_migrations order by created_at, id`,
  )
  return rows.map(({ hash, createdAt }) => ({ hash, createdAt: Number(createdAt) }))
}

/** Sets output formats that are equal on every server, and removes time limits. */
export const settle = async (client: ClientBase): Promise<void> => {
  await client.query(`set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
    set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'iso_8601'; set bytea_output = 'hex';
    set extra_float_digits = 1; set client_encoding = 'UTF8'`)
  const { rows } = await client.query<{ encoding: string }>(`select current_setting('server_encoding') as encoding`)
  if (rows[0]?.encoding !== 'UTF8') throw new BackupRefused('The database is not in UTF-8.')
}
