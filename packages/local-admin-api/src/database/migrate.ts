import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { Client } from 'pg'

/** Migrates the tables of the embedded service. One process at a time may call it. */
export const migrateEmbeddedService = (client: Client): Promise<void> =>
  migrate(drizzle(client), {
    migrationsFolder: join(import.meta.dirname, 'migrations'),
    migrationsTable: 'embedded_service_migrations',
  })
