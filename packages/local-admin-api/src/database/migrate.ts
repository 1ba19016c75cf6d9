import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { PgDialect, type PgSession } from 'drizzle-orm/pg-core'
import type { Client } from 'pg'
import { schemas } from './schemas.ts'

export const embeddedMigrationsTable = 'embedded_service_migrations'

export const embeddedMigrations = join(import.meta.dirname, 'migrations')

/** Migrations name the schemas as they are by default, always in quotes; nothing else in them is called so. */
const toOurSchemas = (text: string): string =>
  text.replaceAll('"public".', `"${schemas.own}".`).replaceAll('"embedded_service"', `"${schemas.embedded}"`)

/**
 * The migrations in a folder, oldest first, for the schemas of this Docket. Hashes are those of the files with Unix line ends, whatever a
 * checkout has.
 */
export const readMigrations = (migrationsFolder: string): MigrationMeta[] =>
  readMigrationFiles({ migrationsFolder }).map((migration) => {
    const text = migration.sql.join('--> statement-breakpoint').replaceAll('\r\n', '\n')
    const hash = createHash('sha256').update(text).digest('hex')
    return { ...migration, sql: toOurSchemas(text).split('--> statement-breakpoint'), hash }
  })

/** Only one process at a time may call it. */
export const migrate = (client: Client, migrationsFolder: string, migrationsTable: string): Promise<void> =>
  // Drizzle's own `migrate` would write the hashes of the files as they are. It passes the session in the same way.
  new PgDialect().migrate(readMigrations(migrationsFolder), drizzle(client)._.session as unknown as PgSession, {
    migrationsFolder,
    migrationsTable,
    migrationsSchema: schemas.migrations,
  })
