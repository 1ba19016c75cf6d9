import { randomUUID } from 'node:crypto'
import { copyTestDatabase } from '@docket/embedded-postgres/testing/test-server'
import { drizzle } from 'drizzle-orm/node-postgres'
import { inject, onTestFinished } from 'vitest'
import { testPool } from './scratch-database.ts'
import type { Database } from '#database/database.ts'

/** An empty database with the tables of the service, dropped after the test. */
export const testDatabase = async (): Promise<Database> => {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const { url, drop } = await copyTestDatabase(inject('testServer'), { name, empty: false })
  const pool = testPool(url)
  onTestFinished(async () => {
    await pool.end()
    await drop()
  })
  return drizzle(pool)
}
