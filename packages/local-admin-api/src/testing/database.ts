import { randomUUID } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { copyTestDatabase } from '@docket/embedded-postgres/testing/test-server'
import { drizzle } from 'drizzle-orm/node-postgres'
import { inject, onTestFinished } from 'vitest'
import { testPool } from './scratch-database.ts'
import type { Database } from '#database/database.ts'

const written = Symbol('written')
const isWrite = /^(INSERT|UPDATE|DELETE|COMMIT)/

/** Resolves when something was written to a test database. */
export const nextChange = ({ $client }: Database): Promise<void> =>
  new Promise((resolve) => void ($client as EventEmitter).once(written, resolve))

/** An empty database with the tables of the service, dropped after the test. */
export const testDatabase = async (): Promise<Database> => {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const { url, drop } = await copyTestDatabase(inject('testServer'), { name, empty: false })
  const pool = testPool(url).setMaxListeners(0)
  pool.on('connect', (client) => {
    const { connection } = client as unknown as { connection: EventEmitter<{ commandComplete: [{ text: string }] }> }
    connection.on('commandComplete', ({ text }) => void (isWrite.test(text) && pool.emit(written)))
  })
  onTestFinished(async () => {
    await pool.end()
    await drop()
  })
  return drizzle(pool)
}
