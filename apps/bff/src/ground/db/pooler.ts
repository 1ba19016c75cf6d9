import { randomUUID } from 'node:crypto'
import { Client, DatabaseError, type ClientConfig } from 'pg'
import { DatabaseUnreachable } from '#ground/db/connect.ts'

/** Time limits of the server for each connection. Milliseconds. */
export const sessionLimits = { statement_timeout: 15_000, idle_in_transaction_session_timeout: 60_000 } as const

/**
 * Source of the time limits: `startup` parameters; `set` after connecting, when a pooler refuses or drops start-up parameters; or only the
 * `role`, behind a pooler in transaction mode, whose connections are shared.
 */
export type LimitsFrom = 'startup' | 'set' | 'role'

const waitMs = 5_000
const rounds = 3

const connectClient = async (config: ClientConfig, stack: AsyncDisposableStack): Promise<Client> => {
  const client = new Client({
    application_name: 'docket-migrate',
    connectionTimeoutMillis: waitMs,
    query_timeout: waitMs,
    ...config,
  })
  client.on('error', () => {})
  await client.connect()
  stack.defer(() => client.end())
  return client
}

const readText = async (client: Client, expression: string): Promise<string> =>
  (await client.query<{ text: string }>(`select (${expression})::text as text`)).rows[0]!.text

const acceptsStartupLimits = async (config: ClientConfig): Promise<boolean> => {
  try {
    await using stack = new AsyncDisposableStack()
    const client = await connectClient({ ...config, ...sessionLimits }, stack)
    const seconds = await readText(client, `extract(epoch from current_setting('statement_timeout')::interval)`)
    return Number(seconds) * 1_000 === sessionLimits.statement_timeout
  } catch (error) {
    if (error instanceof DatabaseError && /startup parameter/.test(error.message)) return false
    throw error
  }
}

/** True when two clients share one connection of the server, which happens only behind a pooler in transaction mode. */
const sharesSessions = async (config: ClientConfig, name: string): Promise<boolean> => {
  await using stack = new AsyncDisposableStack()
  const [idle, busy] = [await connectClient(config, stack), await connectClient(config, stack)]
  const readPid = (client: Client) => readText(client, 'pg_backend_pid()')
  for (let round = 0; round < rounds; round += 1) {
    const before = await readPid(idle)
    await busy.query('begin').catch((error: unknown) => {
      if (error instanceof DatabaseError && /statement pooling/.test(error.message))
        throw new DatabaseUnreachable(
          `${name} goes through a pooler in statement mode, which has no transactions. Let it pool sessions or transactions, and start again.`,
        )
      if (error instanceof Error && error.message === 'Query read timeout')
        throw new DatabaseUnreachable(
          `${name} goes through a pooler that gave Docket one connection and no second. Let it give 15 to each Docket, and start again.`,
        )
      throw error
    })
    // In this order: with a single connection, the idle client would wait for the busy one.
    const shared = (await readPid(busy)) === before || (await readPid(idle)) !== before
    await busy.query('rollback')
    if (shared) return true
  }
  return false
}

/**
 * Refuses two addresses that lead to different databases. It checks whether a lock taken through one is visible through the other, because
 * names may differ.
 */
const refuseDifferentDatabases = async (config: ClientConfig, direct: ClientConfig): Promise<void> => {
  await using stack = new AsyncDisposableStack()
  const [pooled, straight] = [await connectClient(config, stack), await connectClient(direct, stack)]
  const name = randomUUID()
  await straight.query(`begin; select pg_advisory_xact_lock(hashtextextended('${name}', 0))`)
  if ((await readText(pooled, `pg_try_advisory_xact_lock(hashtextextended('${name}', 0))`)) === 'true')
    throw new DatabaseUnreachable(
      'DATABASE_URL and DATABASE_DIRECT_URL name two databases. Let both name the same one, and start again.',
    )
}

/**
 * Detects a pooler and the source of time limits. `direct` is an address of the same database for work that needs its own session. Throws
 * `DatabaseUnreachable` for a pooler that Docket cannot work with; the message explains what to change.
 */
export const inspectPooler = async (
  config: ClientConfig,
  { direct, warn }: { direct: ClientConfig | undefined; warn: (message: string) => void },
): Promise<LimitsFrom> => {
  if (direct !== undefined) {
    if (await sharesSessions(direct, 'DATABASE_DIRECT_URL'))
      throw new DatabaseUnreachable(
        'DATABASE_DIRECT_URL goes through a pooler in transaction mode. Let it name PostgreSQL itself, and start again.',
      )
    await refuseDifferentDatabases(config, direct)
  }
  if (!(await sharesSessions(config, 'DATABASE_URL'))) return (await acceptsStartupLimits(config)) ? 'startup' : 'set'
  if (direct === undefined)
    throw new DatabaseUnreachable(
      'DATABASE_URL goes through a pooler in transaction mode, which cannot hold the lock of a migration. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself as well, or let the pooler pool sessions, and start again.',
    )
  await using stack = new AsyncDisposableStack()
  const client = await connectClient(config, stack)
  if ((await readText(client, `current_setting('statement_timeout')`)) === '0') {
    const role = await readText(client, `format('%I', current_user)`)
    const commands = Object.entries(sessionLimits).map(([name, ms]) => `alter role ${role} set ${name} = ${ms};`)
    warn(
      `The pooler of DATABASE_URL shares connections, so Docket cannot set its time limits for statements. Let the database set them: ${commands.join(' ')}`,
    )
  }
  return 'role'
}
