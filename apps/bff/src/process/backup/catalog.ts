import type { ClientBase } from 'pg'
import { schemas } from '#ground/db/schemas.ts'
import { prepareSession as prepare, sessionSettings, withoutLimits } from '#ground/db/session.ts'
import type { Manifest } from './manifest.ts'

/** Begins the name of a table or sequence of the embedded service, whatever its schema is called here, so that backups fit any schema. */
export const embeddedPrefix = 'embedded_service.'

/** A table as the database describes it. Its name is plain, or begins with `embeddedPrefix`. */
export type Table = { name: string; columns: string[]; key: string[]; refersTo: string[] }

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The queues are not kept: Docket fills them again from its own tables. */
const kept = `array['${schemas.own}', '${schemas.embedded}']`

/** Name of a table or sequence for a statement. Takes names as `listTables` gives them. */
export const qualifyName = (name: string): string =>
  name.startsWith(embeddedPrefix)
    ? `${schemas.embedded}.${quoteName(name.slice(embeddedPrefix.length))}`
    : `${quoteName(schemas.own)}.${quoteName(name)}`

const selectFullName = (relation: string, schema: string) =>
  `(case when ${schema}.nspname = '${schemas.own}' then '' else '${embeddedPrefix}' end || ${relation}.relname)`

const tablesQuery = `
  select ${selectFullName('c', 'n')} as name,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    coalesce((select array_agg(a.attname::text order by k.place) from pg_index i, unnest(i.indkey) with ordinality k (attnum, place), pg_attribute a
      where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum), '{}') as key,
    coalesce((select array_agg(distinct ${selectFullName('r', 's')}) from pg_constraint f join pg_class r on r.oid = f.confrelid
      join pg_namespace s on s.oid = r.relnamespace
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid), '{}') as "refersTo"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any(${kept}) and c.relkind in ('r', 'p') and not c.relispartition
  order by n.nspname <> '${schemas.own}', c.relname collate "C"`

/** Lists the tables of Docket and of the embedded service, each after those it refers to. */
export const listTables = async (client: ClientBase): Promise<Table[]> => {
  const { rows: waiting } = await client.query<Table>(tablesQuery)
  const sorted: Table[] = []
  while (waiting.length > 0) {
    const at = waiting.findIndex(
      ({ refersTo }) => !refersTo.some((name) => waiting.some((table) => table.name === name)),
    )
    // Tables with circular references would need deferred constraints; without those, a restore fails and names the missing row.
    sorted.push(...waiting.splice(Math.max(at, 0), 1))
  }
  return sorted
}

export const listSequences = async (client: ClientBase): Promise<Manifest['sequences']> => {
  const { rows } = await client.query<{ name: string }>(
    `select ${selectFullName('c', 'n')} as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any(${kept}) and c.relkind = 'S' order by n.nspname <> '${schemas.own}', c.relname collate "C"`,
  )
  const found: Manifest['sequences'] = []
  for (const { name } of rows) {
    const { rows: states } = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${qualifyName(name)}`,
    )
    found.push({ name, ...states[0]! })
  }
  return found
}

/** Sets output formats that are equal on every server, and removes time limits. */
export const prepareSession = (client: ClientBase): Promise<void> =>
  prepare(client, { ...sessionSettings, ...withoutLimits, intervalstyle: 'iso_8601' }, { reads: true })
