import { createHash } from 'node:crypto'
import { type Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from, to } from 'pg-copy-streams'
import { qualifyName, quoteName, type Table } from './catalog.ts'

export type Measure = { rows: number; sha256: string }

const newline = 0x0a

/** Passes bytes through and measures them. A line of COPY's text format is a row: it escapes line breaks in values. */
const createMeasure = () => {
  const hash = createHash('sha256')
  let rows = 0
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) rows += 1
      done(null, chunk)
    },
  })
  return { stream, measure: (): Measure => ({ rows, sha256: hash.digest('hex') }) }
}

// Orders by the bytes of the key, so that the order is the same under every collation.
const formatOrder = ({ key, columns }: Pick<Table, 'key' | 'columns'>): string =>
  (key.length > 0 ? key : columns).map((column) => `${quoteName(column)}::text collate "C"`).join(', ')

export const copyOut = async (client: ClientBase, table: Omit<Table, 'refersTo'>, ...sink: Sink): Promise<Measure> => {
  const columns = table.columns.map(quoteName).join(', ')
  const statement = `copy (select ${columns} from ${qualifyName(table.name)} order by ${formatOrder(table)}) to stdout`
  const { stream, measure } = createMeasure()
  await pipeline([client.query(to(statement)), stream, ...sink])
  return measure()
}

export type Sink = [...NodeJS.ReadWriteStream[], Writable]

export const createNullSink = (): Sink => [new Writable({ write: (_chunk, _encoding, done) => done() })]

export const copyIn = async (
  client: ClientBase,
  table: { name: string; columns: readonly string[] },
  source: Readable,
  ...through: NodeJS.ReadWriteStream[]
): Promise<Measure> => {
  const columns = table.columns.map(quoteName).join(', ')
  const { stream, measure } = createMeasure()
  await pipeline([
    source,
    ...through,
    stream,
    client.query(from(`copy ${qualifyName(table.name)} (${columns}) from stdin`)),
  ])
  return measure()
}

const indexesQuery = `
  select quote_ident(n.nspname) || '.' || quote_ident(i.relname) as name, pg_get_indexdef(i.oid) as definition
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_namespace n on n.oid = i.relnamespace
  where x.indrelid = any($1::regclass[]) and not x.indisunique
    and not exists (select 1 from pg_constraint c where c.conindid = i.oid)
  order by 1`

/** Drops the indexes that only speed up reads. Building them afterwards is many times faster. Needs a transaction. */
export const withoutIndexes = async (
  client: ClientBase,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> => {
  const { rows } = await client.query<{ name: string; definition: string }>(indexesQuery, [tables.map(qualifyName)])
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await work()
  await client.query(`set local maintenance_work_mem = '128MB'`)
  for (const { definition } of rows) await client.query(definition)
}
