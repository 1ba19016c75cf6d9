import { randomUUID } from 'node:crypto'
import { copyTestDatabase } from '@docket/embedded-postgres/testing/test-server'
import { drizzle } from 'drizzle-orm/node-postgres'
import { inject } from 'vitest'
import type { Database } from '#ground/db/database.ts'
import { openPool } from '#ground/db/pool.ts'

// On a busy machine, a slow database does not count as unavailable. Milliseconds.
const patient = { connectionTimeoutMillis: 600_000, statement_timeout: 600_000, query_timeout: 600_000 }

/** A separate database for one test file, migrated and empty. `url` is its `DATABASE_URL`. */
export type TestDatabase = { db: Database; url: string; drop(): Promise<void> }

/**
 * Creates a database from the template of this run (about 20 ms), or without tables with `empty`. Call `drop` at the
 * end of the test file.
 */
export const testDatabase = async ({
  empty = false,
  of,
}: { empty?: boolean; of?: string } = {}): Promise<TestDatabase> => {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const { url, drop } = await copyTestDatabase(inject('testServer'), { name, empty, of })
  const pool = openPool({ connectionString: url, max: 5, ...patient }, { warn: () => {} })
  return {
    db: drizzle(pool),
    url,
    drop: async () => {
      if (!pool.ended) await pool.end()
      await drop()
    },
  }
}

/**
 * A database that is filled once for all tests of a file. Each test gets a copy and drops it. Call `drop` after all
 * tests.
 */
export const filledDatabase = async (
  fill: (database: TestDatabase) => Promise<void>,
  options?: { empty: boolean },
): Promise<{ copy: () => Promise<TestDatabase>; drop: () => Promise<void> }> => {
  const database = await testDatabase(options)
  await fill(database)
  // Only a database without connections can be copied.
  await database.db.$client.end()
  const of = new URL(database.url).pathname.slice(1)
  return { copy: () => testDatabase({ of }), drop: database.drop }
}
