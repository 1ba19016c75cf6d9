import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { PgDialect, type PgSession } from 'drizzle-orm/pg-core'
import type { Client } from 'pg'

export const embeddedSchema = 'embedded_service'

export const embeddedMigrationsTable = 'embedded_service_migrations'

export const embeddedMigrations = join(import.meta.dirname, 'migrations')

/** The migrations in a folder, oldest first. Texts and hashes are those of Unix line ends, whatever a checkout has. */
export const readMigrations = (migrationsFolder: string): MigrationMeta[] =>
  readMigrationFiles({ migrationsFolder }).map((migration) => {
    const text = migration.sql.join('--> statement-breakpoint').replaceAll('\r\n', '\n')
    const hash = createHash('sha256').update(text).digest('hex')
    return { ...migration, sql: text.split('--> statement-breakpoint'), hash }
  })

/** Only one process at a time may call it. */
export const migrate = (client: Client, migrationsFolder: string, migrationsTable: string): Promise<void> =>
  // Drizzle's own `migrate` would write the hashes of the files as they are. It passes the session in the same way.
  new PgDialect().migrate(readMigrations(migrationsFolder), drizzle(client)._.session as unknown as PgSession, {
    migrationsFolder,
    migrationsTable,
  })
