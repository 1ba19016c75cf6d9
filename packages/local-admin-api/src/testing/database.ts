import { randomUUID } from 'node:crypto'
import { copyTestDatabase } from '@docket/embedded-postgres/testing/test-server'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { inject, onTestFinished } from 'vitest'
import type { Database } from '#database/database.ts'

/** An empty database with the tables of the service, dropped after the test. */
export const testDatabase = async (): Promise<Database> => {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const { url, drop } = await copyTestDatabase(inject('testServer'), { name, empty: false })
  const pool = new Pool({ connectionString: url, max: 5 })
  // A connection that is still closing is ended by the drop.
  pool.on('connect', (client) => void client.on('error', () => {}))
  pool.on('error', () => {})
  onTestFinished(async () => {
    await pool.end()
    await drop()
  })
  return drizzle(pool)
}
