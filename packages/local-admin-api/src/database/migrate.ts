import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { Client } from 'pg'

export const embeddedSchema = 'embedded_service'

export const embeddedMigrationsTable = 'embedded_service_migrations'

export const embeddedMigrations = join(import.meta.dirname, 'migrations')

/** Only one process at a time may call it. */
export const migrateEmbeddedService = (client: Client, migrationsFolder = embeddedMigrations): Promise<void> =>
  migrate(drizzle(client), { migrationsFolder, migrationsTable: embeddedMigrationsTable })
