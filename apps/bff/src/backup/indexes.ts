import type { ClientBase } from 'pg'
import { quoted } from './catalog.ts'

const indexesQuery = `
  select i.relname as name, pg_get_indexdef(i.oid) as definition
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
  where t.relnamespace = 'public'::regnamespace and t.relname = any($1) and not x.indisunique
    and not exists (select 1 from pg_constraint c where c.conindid = i.oid)
  order by i.relname`

/** Does `work` while tables lack the indexes that only make reading fast: they are many times faster to build afterwards. Part of a transaction. */
export const withoutIndexes = async (
  client: ClientBase,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> => {
  const { rows } = await client.query<{ name: string; definition: string }>(indexesQuery, [tables])
  for (const { name } of rows) await client.query(`drop index public.${quoted(name)}`)
  await work()
  await client.query(`set local maintenance_work_mem = '128MB'`)
  for (const { definition } of rows) await client.query(definition)
}
