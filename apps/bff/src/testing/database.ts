import { randomUUID } from 'node:crypto'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client } from 'pg'
import { inject } from 'vitest'
import type { Database } from '#db/database.ts'
import { openPool } from '#db/pool.ts'

/** A database of one test file: migrated, empty, its own. `url` is what `DATABASE_URL` would be. */
export type TestDatabase = { db: Database; url: string; drop(): Promise<void> }

const administer = async (statement: string): Promise<void> => {
  const client = new Client({ ...inject('testServer'), database: 'postgres' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Copies the template of this run (about 20 ms), or nothing with `empty`. Call `drop` when the test file is through.
 */
export const testDatabase = async ({ empty = false } = {}): Promise<TestDatabase> => {
  const server = inject('testServer')
  const name = `t_${randomUUID().replaceAll('-', '')}`
  await administer(
    `create database ${name} template ${empty ? 'template0' : inject('testTemplate')} strategy file_copy`,
  )
  const url = `postgresql://${server.user}@localhost:${server.port}/${name}?host=${encodeURIComponent(server.host)}`
  const pool = openPool({ connectionString: url, max: 5 }, { warn: () => {} })
  return {
    db: drizzle(pool),
    url,
    drop: async () => {
      await pool.end()
      await administer(`drop database if exists ${name} with (force)`)
    },
  }
}
