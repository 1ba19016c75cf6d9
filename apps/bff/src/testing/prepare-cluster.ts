// Writes the database of a fresh Docket, migrated and empty, to the folder `postgres` below its argument. Tests that
// start many servers copy it, which takes a twentieth of the time.

import { startEmbeddedPostgres } from '@docket/embedded-postgres'
import { migrateDatabase } from '#ground/db/migrate.ts'

const { connection, stop } = await startEmbeddedPostgres({ dataDir: process.argv[2]! })
await migrateDatabase(connection)
await stop()
