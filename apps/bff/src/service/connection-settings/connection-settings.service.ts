import type { AuditAction } from '@docket/api-types/audit'
import type {
  ChangeConnection,
  ConnectionList,
  ConnectionSettings,
  CreateConnection,
  KeyCheck,
} from '@docket/api-types/connections'
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { everything } from '#ground/http/access/token-scope.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { KeyRing } from '#ground/secret/encrypted-text.ts'
import { moveRecords } from '#service/connections/assign-records.ts'
import type { ConnectionRegistry, Running } from '#service/connections/connection-registry.ts'
import type { ConnectionReports } from './connection-reports.ts'
import type { EmbeddedFacts } from '#service/connections/embedded-switch.ts'
import { type ConnectionRow, type KnownConnection, lockConnections } from '#service/connections/connection-rows.ts'
import { connections, unassignedId } from '#ground/db/connections.table.ts'
import type { RecordCounts } from '#service/connections/count-records.ts'
import { listKeyFiles } from '#service/connections/key-files.ts'
import { readCodeHosts, toConnectionCodeHost } from '#service/connections/code-hosts.ts'
import { codeHosts } from '#service/connections/code-hosts.table.ts'
import { readKeyHealth } from '#service/connections/key-health.ts'
import { nameSetting, refuseSwitch, settingChecks, toBaseUrl, toBundleHosts, wrong } from './check-settings.ts'

type Settings = z.output<typeof ChangeConnection>
type Checked = Running & { keys: { check: () => Promise<KeyCheck> } }
const noSuch = () => new AppError('not_found', 'There is no such connection. Reload the page.')

/** Edits connections, for admins. Keys are written and never read back. */
export const connectionSettings = (deps: {
  db: Database
  registry: ConnectionRegistry<Checked>
  reports: Pick<ConnectionReports, 'describe' | 'seenBy'>
  ring: KeyRing
  keysFolder: string | null
  embedded: EmbeddedFacts
  now: () => number
}) => {
  const { db, registry, reports, keysFolder, embedded, now } = deps
  const { toColumns, toChanges } = settingChecks(deps)

  const present = async (known: KnownConnection, counts: RecordCounts): Promise<ConnectionSettings> => {
    const { row } = known
    const where = (sealed: string | null, file: string | null, hasOwn: boolean) => ({
      from: hasOwn
        ? ('environment' as const)
        : file !== null
          ? ('file' as const)
          : sealed !== null
            ? ('stored' as const)
            : ('none' as const),
      file,
    })
    return {
      ...(await reports.describe(known, everything.operates)),
      source: row.source,
      baseUrl: row.baseUrl,
      key: where(row.sealedKey, row.keyFile, row.source === 'environment'),
      readKey: where(row.sealedReadKey, row.readKeyFile, false),
      keyPrefix: row.keyPrefix,
      callsPerHour: row.callsPerHour,
      timeoutMs: row.timeoutMs,
      bundleHosts: row.bundleHosts,
      keyHealth: await readKeyHealth(db, row, now()),
      codeHosts: (await readCodeHosts(db, row.connectionId)).map((codeHost) => toConnectionCodeHost(codeHost, now())),
      embedded: row.kind === 'embedded' ? await embedded.readSwitch(db) : null,
      records: counts.get(row.connectionId) ?? { staticExports: 0, agentJobs: 0 },
      createdBy: row.createdBy,
      createdAt: row.createdAt.toISOString(),
    }
  }

  /** The connection as every replica knows it within seconds. */
  const presentById = async (connectionId: string) => {
    await registry.refresh()
    const known = registry.findKnown(connectionId)
    if (known === undefined) throw noSuch()
    return present(known, await registry.countRecords())
  }

  const refuseTaken = async (tx: Tx, name: string, but: string | null) => {
    const other = and(
      eq(sql`lower(${connections.name})`, name.toLowerCase()),
      isNull(connections.goneAt),
      but === null ? undefined : ne(connections.connectionId, but),
    )
    const rows = await tx.select({ connectionId: connections.connectionId }).from(connections).where(other)
    if (rows.length > 0) throw wrong('name', `Another connection is already called ${name}.`)
  }

  const write = (work: (tx: Tx) => Promise<void>) =>
    db.transaction(async (tx) => {
      await lockConnections(tx)
      await work(tx)
    })

  const record = (
    tx: Tx,
    by: Actor,
    action: AuditAction,
    { connectionId, name }: Pick<ConnectionRow, 'connectionId' | 'name'>,
    details: Record<string, string | number | boolean | null> = {},
  ) =>
    recordAudit(tx, by, {
      action,
      at: new Date(now()),
      target: { type: 'connection', id: connectionId, name },
      details,
    })

  const locked = async (tx: Tx, connectionId: string): Promise<ConnectionRow> => {
    const [row] = await tx.select().from(connections).where(eq(connections.connectionId, connectionId)).for('update')
    if (row === undefined || row.connectionId === unassignedId) throw noSuch()
    return row
  }

  return {
    list: async (): Promise<ConnectionList> => {
      const [seen, counts] = await Promise.all([reports.seenBy(everything), registry.countRecords()])
      const listed = registry.list().filter((known) => known.row.kind === 'embedded' || seen.includes(known))
      const items = await Promise.all(listed.map((known) => present(known, counts)))
      return { items, keyFiles: await listKeyFiles(keysFolder) }
    },
    add: async (request: z.output<typeof CreateConnection>, by: Actor): Promise<ConnectionSettings> => {
      const { key, readKey, baseUrl, bundleHosts, ...settings } = request
      const values = {
        ...settings,
        kind: 'service' as const,
        source: 'settings' as const,
        baseUrl: toBaseUrl(baseUrl),
        bundleHosts: toBundleHosts(bundleHosts),
        ...(await toColumns('key', key, settings.keyPrefix)),
        ...(await toColumns('readKey', readKey, settings.keyPrefix)),
        createdBy: by.name,
      }
      let connectionId = ''
      await write(async (tx) => {
        await refuseTaken(tx, values.name, null)
        const [row] = await tx.insert(connections).values(values).returning()
        connectionId = row!.connectionId
        await record(tx, by, 'connection.added', row!, { address: row!.baseUrl, production: row!.production })
      })
      return presentById(connectionId)
    },
    change: async (connectionId: string, asked: Settings, by: Actor): Promise<ConnectionSettings> => {
      await write(async (tx) => {
        const row = await locked(tx, connectionId)
        if (asked.switchedOn !== undefined) refuseSwitch(row, await embedded.readSwitch(tx))
        else if (row.goneAt !== null) throw new AppError('conflict', 'This connection was removed. Add it again.')
        const set = await toChanges(row, asked)
        if (Object.keys(set).length === 0) return
        if (set.name !== undefined) await refuseTaken(tx, set.name, connectionId)
        await tx.update(connections).set(set).where(eq(connections.connectionId, connectionId))
        const { pausedAt, ...rest } = set
        const changed = Object.keys(rest)
        if (pausedAt !== undefined && (pausedAt === null) !== (row.pausedAt === null))
          await record(tx, by, pausedAt === null ? 'connection.resumed' : 'connection.paused', row)
        if (changed.length > 0)
          // Names of settings only: a value may be a key.
          await record(tx, by, 'connection.changed', row, {
            settings: [...new Set(changed.map(nameSetting))].join(', '),
            ...(asked.switchedOn !== undefined && { switchedOn: asked.switchedOn }),
          })
      })
      return presentById(connectionId)
    },
    /** Removes a connection and its keys. Its records stay, read-only. */
    remove: async (connectionId: string, by: Actor): Promise<void> => {
      await write(async (tx) => {
        const row = await locked(tx, connectionId)
        if (row.source !== 'settings')
          throw new AppError('conflict', 'Docket’s environment describes this connection. Remove it there.')
        if (row.goneAt !== null) return
        const keys = { sealedKey: null, sealedReadKey: null, keyFile: null, readKeyFile: null }
        await tx
          .update(connections)
          .set({ ...keys, goneAt: new Date(now()) })
          .where(eq(connections.connectionId, connectionId))
        await tx.delete(codeHosts).where(eq(codeHosts.connectionId, connectionId))
        await record(tx, by, 'connection.removed', row)
      })
      await registry.refresh()
    },
    check: async (connectionId: string, by: Actor): Promise<KeyCheck> => {
      const known = registry.findKnown(connectionId)
      if (known === undefined) throw noSuch()
      const check = await registry.open(connectionId).keys.check()
      await record(db, by, 'connection.key_checked', known.row, { outcome: check.outcome })
      return check
    },
    /** Moves records of the `unassigned` connection. Records that the other one has already stay. */
    move: async (connectionId: string, to: string, by: Actor): Promise<void> => {
      if (connectionId !== unassignedId)
        throw new AppError('conflict', 'You can only move records without a known service.')
      await write(async (tx) => {
        const target = await locked(tx, to)
        const moved = await moveRecords(tx, unassignedId, to)
        await record(tx, by, 'connection.records_moved', target, { records: moved })
      })
    },
  }
}

/** Settings of the connections. */
export type ConnectionSettingsService = ReturnType<typeof connectionSettings>
