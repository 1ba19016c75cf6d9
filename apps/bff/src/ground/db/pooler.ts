import { randomUUID } from 'node:crypto'
import { DatabaseError, type Client, type ClientConfig } from 'pg'
import { PostgresClient } from '#ground/db/client.ts'
import { DatabaseUnreachable } from '#ground/db/connect.ts'
import { schemas } from '#ground/db/schemas.ts'
import { sessionLimits, sessionSettings, toAssignments, type Settings } from '#ground/db/session.ts'

/** Who sets what Docket relies on: each `session` when it begins, or the `role`, behind a pooler in transaction mode, whose connections are shared. */
export type SettingsFrom = 'session' | 'role'

const waitMs = 5_000
const rounds = 3

const connectClient = async (config: ClientConfig, stack: AsyncDisposableStack): Promise<Client> => {
  const client = new PostgresClient({
    application_name: 'docket-migrate',
    connectionTimeoutMillis: waitMs,
    query_timeout: waitMs,
    ...config,
  })
  await client.connect()
  stack.defer(() => client.end())
  return client
}

const readText = async (client: Client, expression: string): Promise<string> =>
  (await client.query<{ text: string }>(`select (${expression})::text as text`)).rows[0]!.text

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

/** Settings that shared connections lack. Other time limits than Docket's are fine, as are other names of its time zone. */
const findMissing = async (client: Client): Promise<Settings> => {
  const settings: Settings = { ...sessionSettings, ...sessionLimits }
  const missing: Settings = {}
  for (const [name, value] of Object.entries(settings)) {
    const current =
      // The path itself, while its schema does not exist yet.
      name === 'search_path'
        ? `coalesce(nullif(array_to_string(current_schemas(false), ', '), ''), current_setting('search_path'))`
        : `current_setting('${name}')`
    const text = await readText(client, current)
    const isSet = name in sessionLimits ? text !== '0' : `${text.replace('Etc/', '')},`.startsWith(`${value},`)
    if (!isSet) Object.assign(missing, { [name]: value })
  }
  return missing
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
 * Detects a pooler, and decides who sets what Docket relies on. `direct` is an address of the same database for work that needs its own session. Throws
 * `DatabaseUnreachable` for a pooler that Docket cannot work with; the message explains what to change.
 */
export const inspectPooler = async (
  config: ClientConfig,
  { direct, warn }: { direct: ClientConfig | undefined; warn: (message: string) => void },
): Promise<SettingsFrom> => {
  if (direct !== undefined) {
    if (await sharesSessions(direct, 'DATABASE_DIRECT_URL'))
      throw new DatabaseUnreachable(
        'DATABASE_DIRECT_URL goes through a pooler in transaction mode. Let it name PostgreSQL itself, and start again.',
      )
    await refuseDifferentDatabases(config, direct)
  }
  if (!(await sharesSessions(config, 'DATABASE_URL'))) return 'session'
  if (direct === undefined)
    throw new DatabaseUnreachable(
      'DATABASE_URL goes through a pooler in transaction mode, which cannot hold the lock of a migration. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself as well, or let the pooler pool sessions, and start again.',
    )
  await using stack = new AsyncDisposableStack()
  const client = await connectClient(config, stack)
  const missing = await findMissing(client)
  const assignments = toAssignments(missing)
  if (assignments.length > 0) {
    const role = await readText(client, `format('%I', current_user)`)
    const commands = assignments.map((assignment) => `alter role ${role} set ${assignment};`)
    const problem = `The pooler of DATABASE_URL shares connections, so Docket cannot set its time limits and formats there. Let the database set them: ${commands.join(' ')}`
    // Another path would lead to the tables of another Docket.
    if ('search_path' in missing && schemas.own !== 'public') throw new DatabaseUnreachable(problem)
    warn(problem)
  }
  return 'role'
}
