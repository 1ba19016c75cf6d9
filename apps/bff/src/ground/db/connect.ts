import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresLog } from '@docket/embedded-postgres'
import { explainUntrusted } from '@docket/outbound/explain-connection'
import { DatabaseError } from 'pg'
import { AddressMistake, describePlace, readPostgresAddress, type PostgresConfig } from '#ground/db/address.ts'
import { PostgresClient } from '#ground/db/client.ts'
import { prepareSession } from '#ground/db/session.ts'
import { isDatabaseUnavailable } from '#ground/db/unavailable.ts'

/** `DATABASE_URL` or `DATABASE_DIRECT_URL` cannot be used. The message contains the reason and the place, never the password. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable'
}

const readAddress = (databaseUrl: string, name: string): PostgresConfig => {
  try {
    return readPostgresAddress(databaseUrl)
  } catch (error) {
    throw error instanceof AddressMistake ? new DatabaseUnreachable(`${name} ${error.message}.`) : error
  }
}

const noTls = 'The server does not support SSL connections'

const toReason = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '') return toReason(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  if (explainUntrusted(code) !== null)
    return 'no authority that this machine knows signed its certificate: name the file of the authority in sslrootcert, sslrootcert=system for those of the system, or NODE_EXTRA_CA_CERTS'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `its certificate is for another host: ${error.message}; name that host, or set sslmode=verify-ca and sslrootcert`
  return error.message === noTls ? 'it offers no TLS: turn that on there, or set sslmode=disable' : error.message
}

// Waiting does not repair wrong credentials, a missing database (class 28, 3D000) or a server without TLS. Any other error may
// come from a server that is still starting.
const isFinalFailure = (error: unknown): boolean => {
  if (error instanceof AggregateError) return error.errors.every(isFinalFailure)
  if (error instanceof DatabaseError && /^(28...|3D000)$/.test(error.code ?? '')) return true
  return !isDatabaseUnavailable(error) || (error instanceof Error && error.message === noTls)
}

const tryConnection = async (config: PostgresConfig, reads: boolean): Promise<void> => {
  const client = new PostgresClient({ connectionTimeoutMillis: 5_000, query_timeout: 5_000, ...config })
  try {
    await client.connect()
    await prepareSession(client, {}, { reads })
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Waits until the database of an address answers, at most `withinMs`, because databases often start together with Docket, and takes
 * writes, unless it is for `reads`. Returns what the address says. Throws `DatabaseUnreachable`, without waiting when that cannot help.
 */
export const waitUntilDatabaseAnswers = async (
  databaseUrl: string,
  withinMs: number,
  log: Pick<PostgresLog, 'warn'>,
  { name = 'DATABASE_URL', reads = false }: { name?: 'DATABASE_URL' | 'DATABASE_DIRECT_URL'; reads?: boolean } = {},
): Promise<PostgresConfig> => {
  const config = readAddress(databaseUrl, name)
  const place = describePlace(config)
  const deadline = performance.now() + withinMs
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
    try {
      await tryConnection(config, reads)
      return config
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
