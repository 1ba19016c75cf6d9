import { Client } from 'pg'
import type { EmbeddedConnection } from '#embedded-postgres.ts'

/** One statement on a connection of its own. */
export const query = async (connection: EmbeddedConnection, statement: string): Promise<Record<string, unknown>[]> => {
  const client = new Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}
