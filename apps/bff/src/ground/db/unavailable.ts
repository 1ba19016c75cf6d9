import { DrizzleQueryError } from 'drizzle-orm'
import { DatabaseError } from 'pg'

const network = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  // Error of a unix socket without a server.
  'ENOENT',
  // Error of a unix socket whose server accepts no more connections.
  'EAGAIN',
])

// Messages of pg, pg-pool, `client.ts` and `deadline.ts`, which have no error codes.
const sentences = [
  'Database deadline exceeded',
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end on the pool',
  'The server does not support SSL connections',
  'The server accepts no writes',
]

// SQLSTATE: connection failures, refused sign-in, missing database, no resources, server shut down or a read-only standby,
// statements that ran into the time limit, which is how an overloaded server shows itself, and transactions that waited for each other.
const states = /^(08...|28...|3D000|53...|57P0.|57014|25006|40P01)$/

const readCode = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** The database answers but takes no writes, because it is a standby or was set to read-only. */
export class DatabaseReadOnly extends Error {
  override readonly name = 'DatabaseReadOnly'

  constructor() {
    super('the database is read-only, because it is a standby or was told to be')
  }
}

/** The driver's error inside an error of Drizzle. Returns other errors unchanged. */
export const unwrapDriverError = (error: unknown): unknown => (error instanceof DrizzleQueryError ? error.cause : error)

/** True when the database answered but takes no writes. */
export const isReadOnly = (error: unknown): boolean => unwrapDriverError(error) instanceof DatabaseReadOnly

/** True when the error says that its connection, or every connection to its server, may be of no more use. */
export const isDoubtful = (error: unknown): boolean =>
  error instanceof DatabaseError && /^(08...|57P0.|25006)$/.test(error.code ?? '')

/**
 * True when a query failed because the database was unreachable or refused service, so that a retry may work. Counts
 * only errors of the database, never those of calls to other servers.
 */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  const cause = unwrapDriverError(error)
  if (cause instanceof AggregateError) return cause.errors.some(isDatabaseUnavailable)
  if (cause instanceof DatabaseReadOnly) return true
  if (!(cause instanceof Error)) return false
  // Only errors of the server have a severity; it is also in pg-boss's copies of them.
  if ('severity' in cause) return states.test(readCode(cause))
  if (cause.name !== 'Error') return false
  return (
    (network.has(readCode(cause)) && 'syscall' in cause) ||
    sentences.some((sentence) => cause.message.startsWith(sentence))
  )
}
