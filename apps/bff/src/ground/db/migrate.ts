import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedMigrations, embeddedMigrationsTable, migrate, readMigrations } from '@docket/local-admin-api/migrate'
import type { MigrationMeta } from 'drizzle-orm/migrator'
import { DatabaseError, type Client, type ClientBase, type ClientConfig } from 'pg'
import { installBoss } from '#ground/db/boss.ts'
import { PostgresClient } from '#ground/db/client.ts'
import { nameHere, schemas } from '#ground/db/schemas.ts'
import { prepareSession, sessionSettings, withoutLimits } from '#ground/db/session.ts'
import { unwrapDriverError } from '#ground/db/unavailable.ts'

/** A newer build has migrated the database, and this one does not know its tables. */
class DatabaseTooNew extends Error {
  override readonly name = 'DatabaseTooNew'

  constructor() {
    super(
      'The database belongs to a newer Docket than this one. Start that version, or restore a backup made before it.',
    )
  }
}

/** The tables of the database were created by migrations that this build does not have. */
class DatabaseForeign extends Error {
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
        ([, schema = schemas.own, name]) => `${schema}.${name}`,
      ),
    ),
  )

export const ownMigrationsTable = '__drizzle_migrations'

/** Migrations of a build, oldest first, and the table that records which of them were applied. */
type MigrationSet = { table: string; known: readonly MigrationMeta[] }

/** Lists the migrations of a database, oldest first; empty for a database without Docket. */
export const listAppliedMigrations = async (client: ClientBase, name = ownMigrationsTable) => {
  const table = `${schemas.migrations}.${name}`
  const { rows: known } = await client.query<{ is: boolean }>(`select to_regclass($1) is not null as is`, [table])
  if (known[0]?.is !== true) return []
  const { rows } = await client.query<{ hash: string; createdAt: string }>(
    `select hash, created_at::text as "createdAt" from ${table} order by created_at, id`,
  )
  return rows.map(({ hash, createdAt }) => ({ hash, createdAt: Number(createdAt) }))
}

const refuseForeignTables = async (client: Client, { table, known }: MigrationSet): Promise<void> => {
  const applied = await listAppliedMigrations(client, table)
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

export { embeddedMigrationsTable }

/** Key, as SQL, of the advisory lock for migrations. That of `public` was always this number, which no other program locks in this database. */
export const migrationLock = schemas.own === 'public' ? '7366538' : `hashtextextended('${nameHere('migrations')}', 0)`

const allMigrations = join(import.meta.dirname, 'migrations')

const listMigrations = (folder: string) =>
  readMigrations(folder).map(({ hash, folderMillis }) => ({ hash, createdAt: folderMillis }))

/** The migrations of this build, oldest first: SHA-256 of the text, and when it was made (milliseconds since the epoch). */
export const listKnownMigrations = (): { hash: string; createdAt: number }[] => listMigrations(allMigrations)

export const listKnownEmbeddedMigrations = (): { hash: string; createdAt: number }[] =>
  listMigrations(embeddedMigrations)

/** Migrations of this build, of both kinds, that are not among those of a database or a backup. */
export const countPending = (has: { migrations: readonly unknown[]; embeddedMigrations: readonly unknown[] }): number =>
  listKnownMigrations().length -
  has.migrations.length +
  (listKnownEmbeddedMigrations().length - has.embeddedMigrations.length)

/** Refuses a database that this build cannot migrate. Changes nothing. Throws `DatabaseTooNew` and `DatabaseForeign`. */
export const refuseForeignDatabase = async (
  client: Client,
  [own, embedded]: readonly [string, string] = [allMigrations, embeddedMigrations],
): Promise<void> => {
  await refuseForeignTables(client, { table: ownMigrationsTable, known: readMigrations(own) })
  await refuseForeignTables(client, { table: embeddedMigrationsTable, known: readMigrations(embedded) })
}

const copyFirstMigrations = async (of: string, count: number): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-migrations-'))
  await cp(of, folder, { recursive: true })
  const journal = join(folder, 'meta', '_journal.json')
  const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8')) as { entries: unknown[] }
  await writeFile(journal, JSON.stringify({ ...rest, entries: entries.slice(0, count) }))
  return folder
}

/** What the role of Docket needs before its first start. */
export const howToGrant = `grant its role CREATE on the database${schemas.own === 'public' ? ' and on schema public' : ''}`

/** The role of `DATABASE_URL` lacks the rights to create what Docket needs. */
export class DatabaseForbids extends Error {
  override readonly name = 'DatabaseForbids'

  constructor(reason: string) {
    super(
      `The database does not let Docket make its tables (${reason}). Docket keeps them in the schemas ${Object.values(schemas).join(', ')}: ${howToGrant}, and start again.`,
    )
  }
}

/** Says so when a Docket in the schema `public` seems empty because it was started with another one. */
const makeOwnSchema = async (client: Client, warn: (message: string) => void): Promise<void> => {
  const { rows } = await client.query<{ isThere: boolean; journals: string[] }>(
    `select to_regnamespace($1) is not null as "isThere", array(select schemaname::text from pg_tables where tablename = $2) as journals`,
    [`"${schemas.own}"`, ownMigrationsTable],
  )
  const { isThere, journals } = rows[0]!
  if (!isThere) await client.query(`create schema "${schemas.own}"`)
  if (journals.includes('drizzle') && !journals.includes(schemas.migrations))
    warn(
      `The schema ${schemas.own} is empty, so this is a new Docket; the one in the schema public stays as it is. To go on with that one, remove DATABASE_SCHEMA, or restore a backup of it here.`,
    )
}

const insufficientPrivilege = '42501'

/**
 * Migrates the database to this build's schema. Safe in concurrent processes: an advisory lock, which ends with the
 * connection, lets one at a time run. `only` applies that many migrations, as an older build would, and
 * `onlyEmbedded` of the embedded service's. `before` inspects
 * the database first and may refuse it. Throws `DatabaseTooNew`, `DatabaseForeign`, `DatabaseForbids`, and errors of the database.
 */
export const migrateDatabase = async (
  config: ClientConfig,
  options: {
    only?: number
    onlyEmbedded?: number
    before?: ((client: Client) => Promise<void>) | undefined
    warn?: (message: string) => void
  } = {},
): Promise<void> => {
  const { only, onlyEmbedded = 0, before, warn = () => {} } = options
  const folders =
    only === undefined
      ? ([allMigrations, embeddedMigrations] as const)
      : ([
          await copyFirstMigrations(allMigrations, only),
          await copyFirstMigrations(embeddedMigrations, onlyEmbedded),
        ] as const)
  // A separate connection without time limits, because a migration may take long, and so may waiting for another process.
  const client = new PostgresClient({ connectionTimeoutMillis: 5_000, application_name: 'docket-migrate', ...config })
  try {
    await client.connect()
    await prepareSession(client, { ...sessionSettings, ...withoutLimits })
    await client.query(`select pg_advisory_lock(${migrationLock})`)
    await refuseForeignDatabase(client, folders)
    await before?.(client)
    await makeOwnSchema(client, warn)
    await migrate(client, folders[0], ownMigrationsTable)
    await migrate(client, folders[1], embeddedMigrationsTable)
    await installBoss((text, values) => client.query(text, values))
  } catch (error) {
    const cause = unwrapDriverError(error)
    if (cause instanceof DatabaseError && cause.code === insufficientPrivilege) throw new DatabaseForbids(cause.message)
    throw error
  } finally {
    await client.end().catch(() => {})
    if (only !== undefined) for (const folder of folders) await rm(folder, { recursive: true, force: true })
  }
}
