import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { Client } from 'pg'

/** Schema of the embedded service's tables. */
export const embeddedSchema = 'embedded_service'

/** Where the migrator notes those of the embedded service, in the schema `drizzle`. */
export const embeddedMigrationsTable = 'embedded_service_migrations'

/** Folder of the migrations of the embedded service. */
export const embeddedMigrations = join(import.meta.dirname, 'migrations')

/** Migrates the tables of the embedded service. One process at a time may call it. */
export const migrateEmbeddedService = (client: Client, migrationsFolder = embeddedMigrations): Promise<void> =>
  migrate(drizzle(client), { migrationsFolder, migrationsTable: embeddedMigrationsTable })
