import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'

/** The database as every area sees it. Tables are imported where they are used, so no schema object is shared. */
export type Database = NodePgDatabase<Record<string, never>> & { $client: Pool }

/** A transaction. Functions that take a `Tx` also accept the database itself. */
export type Tx = Parameters<Parameters<Database['transaction']>[0]>[0] | Database
