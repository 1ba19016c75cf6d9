import { escapeLiteral, type ClientBase, type QueryResult } from 'pg'
import { schemas } from '#ground/db/schemas.ts'
import { DatabaseReadOnly } from '#ground/db/unavailable.ts'

/** Time limits of the server for each connection. Milliseconds. */
export const sessionLimits = { statement_timeout: 15_000, idle_in_transaction_session_timeout: 60_000 } as const

/** For work that may take long, on a connection of its own. A role behind a transaction pooler has Docket's limits. */
export const withoutLimits = { statement_timeout: 0, idle_in_transaction_session_timeout: 0 } as const

/** What Docket relies on in every session, whatever the defaults of the server, the database and the role. */
export const sessionSettings = {
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  search_path: schemas.own,
  datestyle: 'ISO',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  default_transaction_isolation: 'read committed',
  // Waits for locks end with the statement's own limit.
  lock_timeout: '0',
} as const

export type Settings = Readonly<Record<string, string | number>>

/** Formats settings as `set` and `alter role … set` expect them. */
export const toAssignments = (settings: Settings): string[] =>
  Object.entries(settings).map(([name, value]) => `${name} = ${escapeLiteral(String(value))}`)

const question = `select current_setting('server_encoding') as encoding, current_setting('transaction_read_only') = 'on' as "readOnly"`

/**
 * Sets `settings` in one round trip, and refuses a database that Docket cannot use. Throws `DatabaseReadOnly` for a standby, or a database
 * that was set to read-only, unless the session only `reads`.
 */
export const prepareSession = async (client: ClientBase, settings: Settings, { reads = false } = {}): Promise<void> => {
  const text = [...toAssignments(settings).map((assignment) => `set ${assignment}`), question].join('; ')
  // With several statements, pg returns a list of results.
  const results = (await client.query(text)) as unknown as QueryResult | QueryResult[]
  const { encoding, readOnly } = [results].flat().at(-1)!.rows[0] as { encoding: string; readOnly: boolean }
  if (encoding !== 'UTF8') throw new Error(`the encoding of the database is ${encoding}, and Docket needs UTF8`)
  if (readOnly && !reads) throw new DatabaseReadOnly()
}
