import type { MigrationMeta } from 'drizzle-orm/migrator'
import type { Client } from 'pg'

/** A newer build has migrated the database, and this one does not know its tables. */
export class DatabaseTooNew extends Error {
  override readonly name = 'DatabaseTooNew'

  constructor() {
    super(
      'The database belongs to a newer Docket than this one. Start that version, or restore a backup made before it.',
    )
  }
}

/** Other migrations than those of this build made the tables of the database. */
export class DatabaseForeign extends Error {
  override readonly name = 'DatabaseForeign'

  constructor(reason: string) {
    super(
      `This Docket cannot bring the tables of the database up to date: ${reason}. Nothing was changed. Start the version that made them, or name an empty database in DATABASE_URL (without it, a DATA_DIR that does not exist).`,
    )
  }
}

const listOwnTables = (known: readonly MigrationMeta[]): string[] =>
  known.flatMap(({ sql }) =>
    sql.flatMap((text) =>
      [...text.matchAll(/^CREATE TABLE (?:"(\w+)"\.)?"(\w+)"/gm)].map(
        ([, schema = 'public', name]) => `${schema}.${name}`,
      ),
    ),
  )

/** Migrations of a build, oldest first, and the table in the schema `drizzle` that records which of them were applied. */
type Lineage = { table: string; known: readonly MigrationMeta[] }

/** Refuses a database whose tables do not come from known migrations. Throws `DatabaseTooNew` and `DatabaseForeign`. */
export const refuseForeignTables = async (client: Client, lineages: readonly Lineage[]): Promise<void> => {
  for (const lineage of lineages) await refuseForeignLineage(client, lineage)
}

const refuseForeignLineage = async (client: Client, { table, known }: Lineage): Promise<void> => {
  const { rows: journal } = await client.query<{ exists: boolean }>(`select to_regclass($1) is not null as exists`, [
    `drizzle.${table}`,
  ])
  const { rows: applied } = journal[0]!.exists
    ? await client.query<{ hash: string; createdAt: string }>(
        `select hash, created_at::text as "createdAt" from drizzle.${table} order by created_at, id`,
      )
    : { rows: [] }
  if (applied.length === 0) {
    const { rows: found } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname || '.' || tablename = any($1) order by 1 limit 1`,
      [listOwnTables(known)],
    )
    if (found.length > 0) throw new DatabaseForeign(`it has a table ${found[0]!.name}, and no record of who made it`)
  }
  if (applied.slice(0, known.length).some(({ hash }, index) => hash !== known[index]!.hash))
    throw new DatabaseForeign('a version before the first release, or a changed one, made them')
  if (applied.length > known.length) throw new DatabaseTooNew()
}
