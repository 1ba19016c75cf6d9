import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'
import { pgSchema, timestamp } from 'drizzle-orm/pg-core'
import { schemas } from './schemas.ts'

export const embedded = pgSchema(schemas.embedded)

export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** Docket's database, which holds the tables of the embedded service in a schema of their own. */
export type Database = NodePgDatabase & { $client: Pool }
