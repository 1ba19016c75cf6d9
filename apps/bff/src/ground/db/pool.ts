import type { Socket } from 'node:net'
import { Pool, type PoolClient, type PoolConfig } from 'pg'
import type { PostgresLog } from '@docket/embedded-postgres'
import { PostgresClient } from '#ground/db/client.ts'
import { waitForDatabase } from '#ground/db/deadline.ts'
import type { SettingsFrom } from '#ground/db/pooler.ts'
import { nameHere } from '#ground/db/schemas.ts'
import { prepareSession, sessionLimits, sessionSettings } from '#ground/db/session.ts'
import { isDoubtful } from '#ground/db/unavailable.ts'

const readStream = (client: PoolClient): Socket =>
  (client as PoolClient & { connection: { stream: Socket } }).connection.stream

/**
 * Protects a client of the pool against the loss of its connection: the client returns to the pool by itself, and a
 * second release is harmless. Drizzle's transactions need both. They never release a client whose `begin` failed, and
 * an unhandled `error` event between two statements would end the process.
 */
const guardClient = (client: PoolClient): PoolClient => {
  const release = client.release
  const giveBack = (error?: Error | boolean): void => {
    client.off('error', giveBack)
    client.off('end', ended)
    client.release = () => {}
    // A lost connection is destroyed, so that no other caller gets it.
    release(error ?? readStream(client).destroyed)
  }
  const ended = (): void => giveBack(true)
  client.on('error', giveBack)
  client.on('end', ended)
  client.release = giveBack
  return client
}

/** How long a connection is used without another look at whether its database takes writes. Milliseconds. */
const trustMs = 2_000

/**
 * Calls `doubt` for errors after which no connection can be trusted. A query that timed out leaves its connection unusable. Closing it ends
 * the query in the server too.
 */
const watchQueries = (client: PoolClient, doubt: () => void): void => {
  const { query } = client
  const end = () => void readStream(client).destroy()
  // pg overloads query eleven ways; this passes them all through.
  client.query = ((...args: never[]) =>
    waitForDatabase(async () => {
      try {
        return await (Reflect.apply(query, client, args) as Promise<unknown>)
      } catch (error) {
        if (error instanceof Error && error.message === 'Query read timeout') end()
        if (isDoubtful(error)) doubt()
        throw error
      }
    }, end)) as typeof query
}

export const probePool = {
  application_name: nameHere('docket-probe'),
  max: 2,
  connectionTimeoutMillis: 2_000,
  statement_timeout: 2_000,
  query_timeout: 3_000,
} satisfies PoolConfig

const prepareSessions = (config: PoolConfig, from: SettingsFrom): PoolConfig => {
  const { statement_timeout, idle_in_transaction_session_timeout, ...rest } = { ...sessionLimits, ...config }
  const limits = { statement_timeout: Number(statement_timeout), idle_in_transaction_session_timeout }
  const settings = from === 'role' ? {} : { ...sessionSettings, ...limits }
  // pg waits for the promise, although its type does not declare that.
  return { ...rest, onConnect: (client) => prepareSession(client, settings) as unknown as void }
}

/** A connection pool that never ends the process and never loses a slot to a broken connection. Times are in milliseconds. */
export const openPool = (config: PoolConfig, log: Pick<PostgresLog, 'warn'>, from: SettingsFrom = 'session'): Pool => {
  const pool = new Pool({
    Client: PostgresClient,
    application_name: nameHere('docket'),
    max: 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // Applies when the server does not answer at all; otherwise the statement's own limit comes first.
    query_timeout: 20_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // After a switch to another server, its address may lead there for new connections only.
    maxLifetimeSeconds: 300,
    ...prepareSessions(config, from),
  })
  // Hidden like pg's own password property, so that printing the pool does not reveal the password.
  const { connectionString } = pool.options
  Object.defineProperty(pool.options, 'connectionString', { enumerable: false, get: () => connectionString })
  // Ending a pool does not wait for its sockets, so the embedded server may close them first.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn(`Lost an idle database connection: ${error.message}`)
  })
  let checkedAt = new WeakMap<PoolClient, number>()
  const doubt = () => void (checkedAt = new WeakMap())
  pool.on('connect', (client) => {
    checkedAt.set(client, performance.now())
    watchQueries(client, doubt)
  })
  // Between the pool's listener and the caller's, a client briefly has none, and an error would end the process.
  pool.on('connect', (client) => void client.on('error', () => {}))
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>
  const takeOne = async (): Promise<PoolClient> => {
    let client: Promise<PoolClient> | undefined
    const giveBack = () =>
      void client?.then(
        (client) => client.release(),
        () => {},
      )
    return guardClient(await waitForDatabase(() => (client = connect()), giveBack))
  }
  // Ends, because each failed check removes a connection, and a new one was checked when it was made.
  const take = async (): Promise<PoolClient> => {
    for (;;) {
      const client = await takeOne()
      if (performance.now() - (checkedAt.get(client) ?? -Infinity) < trustMs) return client
      try {
        await prepareSession(client, {})
        checkedAt.set(client, performance.now())
        return client
      } catch {
        doubt()
        client.release(true)
      }
    }
  }
  pool.connect = take as Pool['connect']
  // The query of pg-pool bypasses `take`.
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
