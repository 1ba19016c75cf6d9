import type { Socket } from 'node:net'
import { Pool, type PoolClient, type PoolConfig } from 'pg'
import type { PostgresLog } from '@docket/embedded-postgres'
import { waitForDatabase } from '#db/deadline.ts'

const readStream = (client: PoolClient): Socket =>
  (client as PoolClient & { connection: { stream: Socket } }).connection.stream

/**
 * Makes a client that was taken out of the pool survive its connection: it goes back by itself when the connection ends,
 * and may be released again afterwards. Drizzle's transactions need both: they never release a client whose `begin`
 * failed, and between two statements nobody would hear the `error` event, which then ends the process.
 */
const guarded = (client: PoolClient): PoolClient => {
  const release = client.release
  const giveBack = (error?: Error | boolean): void => {
    client.off('error', giveBack)
    client.off('end', ended)
    client.release = () => {}
    // Nobody else may get a connection that was given up a moment ago.
    release(error ?? readStream(client).destroyed)
  }
  const ended = (): void => giveBack(true)
  client.on('error', giveBack)
  client.on('end', ended)
  client.release = giveBack
  return client
}

// A query that times out leaves a connection that nobody may use again; ending it tells everyone, the server included.
const endWhenLate = (client: PoolClient): void => {
  const { query } = client
  const end = () => void readStream(client).destroy()
  // pg overloads query eleven ways; this passes them all through.
  client.query = ((...args: never[]) =>
    waitForDatabase(async () => {
      try {
        return await (Reflect.apply(query, client, args) as Promise<unknown>)
      } catch (error) {
        if (error instanceof Error && error.message === 'Query read timeout') end()
        throw error
      }
    }, end)) as typeof query
}

/** Two connections, opened when something asks and dropped when nothing does, that give up early. */
export const probePool = {
  application_name: 'docket-probe',
  max: 2,
  connectionTimeoutMillis: 2_000,
  statement_timeout: 2_000,
  query_timeout: 3_000,
} satisfies PoolConfig

/** A connection pool that never ends the process and never loses a slot to a dead connection. Times are in milliseconds. */
export const openPool = (config: PoolConfig, log: Pick<PostgresLog, 'warn'>): Pool => {
  const pool = new Pool({
    application_name: 'docket',
    max: 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 60_000,
    // Only for a server that does not answer at all: the statement's own limit comes first.
    query_timeout: 20_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...config,
  })
  // As pg does with a password that is given apart: what prints a pool, or whatever holds one, must not print it.
  const { connectionString } = pool.options
  Object.defineProperty(pool.options, 'connectionString', { enumerable: false, get: () => connectionString })
  // Ending a pool does not wait for its sockets, so the embedded server may close them first.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn(`Lost an idle database connection: ${error.message}`)
  })
  pool.on('connect', endWhenLate)
  // Between the pool's own listener and that of whoever takes a client there is a moment without one, and then an error ends the process.
  pool.on('connect', (client) => void client.on('error', () => {}))
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>
  const take = async (): Promise<PoolClient> => {
    let client: Promise<PoolClient> | undefined
    const giveBack = () =>
      void client?.then(
        (client) => client.release(),
        () => {},
      )
    return guarded(await waitForDatabase(() => (client = connect()), giveBack))
  }
  pool.connect = take as Pool['connect']
  // pg-pool's own query takes its client past `take`.
  pool.query = (async (...args: never[]) => {
    const client = await take()
    try {
      return (await Reflect.apply(client.query, client, args)) as unknown
    } finally {
      client.release()
    }
  }) as unknown as Pool['query']
  return pool
}
