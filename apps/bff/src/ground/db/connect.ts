import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresLog } from '@docket/embedded-postgres'
import { Client, DatabaseError, type ClientConfig } from 'pg'
import { prepareSession } from '#ground/db/session.ts'
import { isDatabaseUnavailable } from '#ground/db/unavailable.ts'

/** `DATABASE_URL` or `DATABASE_DIRECT_URL` cannot be used. The message contains the reason and the place, never the password. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable'
}

const expected = 'Expected postgresql://user:password@host:5432/database'

/** Formats host, port and database of an address for people. Throws `DatabaseUnreachable` for text that is not an address. */
const readPlace = (databaseUrl: string, name: string): string => {
  if (!URL.canParse(databaseUrl)) throw new DatabaseUnreachable(`${name} is not an address. ${expected}.`)
  const url = new URL(databaseUrl)
  if (!['postgres:', 'postgresql:'].includes(url.protocol))
    throw new DatabaseUnreachable(`${name} does not name a PostgreSQL database. ${expected}.`)
  const socket = url.searchParams.get('host')
  return `${socket ?? `${url.hostname}:${url.port || 5432}`}${url.pathname}`
}

const toReason = (error: unknown): string => {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error ? first.message : String(first)
}

// Waiting does not repair wrong credentials or a missing database (class 28, 3D000). Any other error may come from a
// server that is still starting.
const isFinalFailure = (error: unknown): boolean =>
  (error instanceof DatabaseError && /^(28...|3D000)$/.test(error.code ?? '')) || !isDatabaseUnavailable(error)

const tryConnection = async (config: ClientConfig, reads: boolean): Promise<void> => {
  const client = new Client({ connectionTimeoutMillis: 5_000, query_timeout: 5_000, ...config })
  client.on('error', () => {})
  try {
    await client.connect()
    await prepareSession(client, {}, { reads })
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Waits until the database of an address answers, at most `withinMs`, because databases often start together with Docket, and takes
 * writes, unless it is for `reads`. Throws `DatabaseUnreachable`, without waiting when that cannot help.
 */
export const waitUntilDatabaseAnswers = async (
  databaseUrl: string,
  withinMs: number,
  log: Pick<PostgresLog, 'warn'>,
  { name = 'DATABASE_URL', reads = false }: { name?: 'DATABASE_URL' | 'DATABASE_DIRECT_URL'; reads?: boolean } = {},
): Promise<void> => {
  const place = readPlace(databaseUrl, name)
  const deadline = performance.now() + withinMs
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
    try {
      return await tryConnection({ connectionString: databaseUrl }, reads)
    } catch (error) {
      const reason = `The database at ${place} cannot be used (${toReason(error)})`
      if (isFinalFailure(error)) throw new DatabaseUnreachable(`${reason}. Correct ${name} and start again.`)
      if (performance.now() + pauseMs > deadline)
        throw new DatabaseUnreachable(`${reason}. Start it, or correct ${name}, and start again.`)
      log.warn(`${reason}; trying again.`)
      await sleep(pauseMs)
    }
  }
}
