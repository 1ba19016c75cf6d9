import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import { parseBaseUrl } from '#ground/config/base-url.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { type ConnectionRow, lockConnections } from './connection-rows.ts'
import { connections } from '#ground/db/connections.table.ts'

export type EnvironmentSettings = Pick<
  ConnectionRow,
  | 'deploymentKind'
  | 'callsPerHour'
  | 'timeoutMs'
  | 'bundleHosts'
  | 'agentJobCreation'
  | 'agentJobList'
  | 'keyPrefix'
  | 'headerNames'
  | 'clientCertificateExpiresOn'
>

/** Returns the format of `connections.base_url`. Throws as `parseBaseUrl` does. */
export const normaliseBaseUrl = (text: string, name?: string): string => {
  const { origin, basePath } = parseBaseUrl(text, name)
  return origin + basePath
}

const embeddedIdentity = { name: 'This machine', kind: 'embedded', source: 'docket', baseUrl: null } as const

const noSettings = { deploymentKind: 'cloud', callsPerHour: 0, timeoutMs: 30_000, agentJobCreation: false } as const

// `agentJobList` is only for a new row: an admin may change it later.
const saveDescribedConnection = async (
  tx: Tx,
  which: ReturnType<typeof and>,
  first: Pick<ConnectionRow, 'name' | 'kind' | 'source' | 'baseUrl'>,
  { agentJobList, ...settings }: EnvironmentSettings,
) => {
  const [known] = await tx.select().from(connections).where(which).for('update')
  if (known === undefined) {
    await tx.insert(connections).values({ ...first, ...settings, agentJobList })
    return
  }
  const back = { ...settings, goneAt: null, anotherService: false }
  const next = { ...known, ...back }
  if (JSON.stringify(next) !== JSON.stringify(known))
    await tx.update(connections).set(back).where(eq(connections.connectionId, known.connectionId))
}

/** Connections that this process stops providing become unavailable, their records read-only. Concurrent starts wait. */
export const describeEnvironment = (
  db: Database,
  own: { environment: ({ baseUrl: string } & EnvironmentSettings) | null; embedded: EnvironmentSettings | null },
): Promise<void> =>
  db.transaction(async (tx) => {
    await lockConnections(tx)
    const { environment, embedded } = own
    const isFromEnvironment = eq(connections.source, 'environment')
    const isEmbedded = eq(connections.kind, 'embedded')
    if (environment !== null) {
      const { baseUrl, ...settings } = environment
      const first = { name: new URL(baseUrl).host, kind: 'service', source: 'environment', baseUrl } as const
      await saveDescribedConnection(tx, and(isFromEnvironment, eq(connections.baseUrl, baseUrl)), first, settings)
    }
    if (embedded !== null) await saveDescribedConnection(tx, isEmbedded, embeddedIdentity, embedded)
    const others = and(
      isFromEnvironment,
      environment === null ? undefined : ne(connections.baseUrl, environment.baseUrl),
    )
    const gone = { goneAt: sql`clock_timestamp()` }
    await tx
      .update(connections)
      .set(gone)
      .where(and(or(others, embedded === null ? isEmbedded : undefined), isNull(connections.goneAt)))
    // Settings show the embedded connection while it is off, and can switch it on.
    const isOff = { ...embeddedIdentity, ...noSettings, ...gone }
    if (embedded === null) await tx.insert(connections).values(isOff).onConflictDoNothing()
  })
