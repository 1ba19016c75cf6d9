import type {
  ChangeConnection,
  ConnectionList,
  ConnectionSettings,
  CreateConnection,
  KeyCheck,
  KeyChoice,
} from '@docket/api-types/connections'
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import { recordAudit } from '#audit/audit.ts'
import type { AuditAction } from '@docket/api-types/audit'
import { parseBaseUrl } from '#admin-api/base-url.ts'
import { keySource } from '#admin-api/key-source.ts'
import { hostsWithPorts } from '#config/values.ts'
import type { Database, Tx } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'
import { everything } from '#http/access/token-scope.ts'
import type { Actor } from '#identity/actor.ts'
import { encrypt, type KeyRing } from '#secret/encrypted-text.ts'
import { moveRecords } from './assign-records.ts'
import type { ConnectionRegistry, Running } from './connection-registry.ts'
import type { ConnectionReports } from './connection-reports.ts'
import type { ConnectionRow } from './connection-rows.ts'
import { connections, unassignedId } from './connections.table.ts'
import { findKeyFile, listKeyFiles } from './key-files.ts'
import { readKeyHealth } from './key-health.ts'

type Checked = Running & { keys: { check: () => Promise<KeyCheck> } }
type Settings = z.output<typeof ChangeConnection>

const noSuch = () => new AppError('not_found', 'There is no such connection. Reload the page.')
const wrong = (field: string, message: string) => new AppError('invalid_request', message, { field })

/** Checks an address as that of the environment is checked. */
const toBaseUrl = (text: string): string => {
  try {
    const { origin, basePath } = parseBaseUrl(text, 'The address')
    return origin + basePath
  } catch (error) {
    throw wrong('baseUrl', error instanceof Error ? error.message : 'This is not an address.')
  }
}

const toBundleHosts = (hosts: readonly string[]): string[] => {
  if (hosts.length === 0) return []
  const parsed = hostsWithPorts.safeParse(hosts.join(','))
  if (!parsed.success) throw wrong('bundleHosts', `The hosts ${parsed.error.issues[0]?.message ?? 'are not valid'}.`)
  return [...parsed.data]
}

/** Edits connections, for admins. Keys are written and never read back. */
export const connectionSettings = (deps: {
  db: Database
  registry: ConnectionRegistry<Checked>
  reports: Pick<ConnectionReports, 'describe' | 'seenBy'>
  ring: KeyRing
  keysFolder: string | null
  now: () => number
}) => {
  const { db, registry, reports, ring, keysFolder, now } = deps

  const present = async (known: ReturnType<typeof registry.list>[number]): Promise<ConnectionSettings> => {
    const { row } = known
    const counts = await registry.countRecords()
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
      records: counts.get(row.connectionId) ?? { staticExports: 0, agentJobs: 0 },
      createdBy: row.createdBy,
      createdAt: row.createdAt.toISOString(),
    }
  }

  /** The connection as every replica knows it within seconds. */
  const presentById = async (connectionId: string) => {
    await registry.refresh()
    const known = registry.list().find(({ row }) => row.connectionId === connectionId)
    if (known === undefined) throw noSuch()
    return present(known)
  }

  /** Checks a key as that of the environment is checked, and returns the columns that keep it. */
  const toColumns = async (
    field: 'key' | 'readKey',
    choice: KeyChoice | null | undefined,
    keyPrefix: string | null,
  ) => {
    if (choice === undefined) return {}
    const value = choice !== null && 'value' in choice ? choice.value : null
    const file = choice !== null && 'file' in choice ? choice.file : null
    const source = { name: 'The key', prefix: keyPrefix ?? undefined }
    try {
      if (value !== null) await keySource({ ...source, value })
      if (file !== null) await keySource({ ...source, file: await findKeyFile(keysFolder, file) })
    } catch (error) {
      const message = error instanceof Error ? error.message : 'This key cannot be used.'
      // Admins see names below CONNECTION_KEYS_DIR only, never where it is.
      throw wrong(field, keysFolder === null ? message : message.replaceAll(keysFolder, 'CONNECTION_KEYS_DIR'))
    }
    const sealed = value === null ? null : encrypt(ring, value.trim())
    return field === 'key' ? { sealedKey: sealed, keyFile: file } : { sealedReadKey: sealed, readKeyFile: file }
  }

  const refuseTaken = async (tx: Tx, name: string, but: string | null) => {
    const other = and(
      eq(sql`lower(${connections.name})`, name.toLowerCase()),
      isNull(connections.goneAt),
      but === null ? undefined : ne(connections.connectionId, but),
    )
    const rows = await tx.select({ connectionId: connections.connectionId }).from(connections).where(other)
    if (rows.length > 0) throw wrong('name', `Another connection is called ${name} already.`)
  }

  const write = (work: (tx: Tx) => Promise<void>) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('docket connections', 0))`)
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

  /** The settings of a request that differ from the row, checked. */
  const toChanges = async (row: ConnectionRow, asked: Settings): Promise<Partial<ConnectionRow>> => {
    const {
      key,
      readKey,
      paused,
      baseUrl,
      bundleHosts,
      keyPrefix,
      deploymentKind,
      callsPerHour,
      timeoutMs,
      agentJobCreation,
    } = asked
    const { name, colour, production, keyExpiresOn, agentJobList } = asked
    const service = {
      key,
      readKey,
      baseUrl,
      bundleHosts,
      keyPrefix,
      deploymentKind,
      callsPerHour,
      timeoutMs,
      agentJobCreation,
    }
    const [fixed] = Object.entries(service).flatMap(([field, value]) => (value === undefined ? [] : field))
    if (row.source !== 'settings' && fixed !== undefined)
      throw wrong(fixed, 'The environment describes this connection, so this is changed there.')
    const address = baseUrl === undefined ? undefined : toBaseUrl(baseUrl)
    const hosts = bundleHosts === undefined ? undefined : toBundleHosts(bundleHosts)
    const moves = address !== undefined && address !== row.baseUrl
    const widens = hosts !== undefined && JSON.stringify(hosts) !== JSON.stringify(row.bundleHosts)
    // Somebody who reads no key must not be able to send it elsewhere.
    if ((moves || widens) && key === undefined)
      throw wrong('key', 'Enter the key again: the address or the hosts of bundles changed.')
    if (moves && row.sealedReadKey !== null && readKey === undefined)
      throw wrong('readKey', 'Enter the read key again, or remove it: the address changed.')
    const prefix = keyPrefix === undefined ? row.keyPrefix : keyPrefix
    const pausing = paused === undefined ? {} : { pausedAt: paused ? (row.pausedAt ?? new Date(now())) : null }
    const plain = {
      name,
      colour,
      production,
      keyExpiresOn,
      agentJobList,
      baseUrl: address,
      bundleHosts: hosts,
      keyPrefix,
      deploymentKind,
      callsPerHour,
      timeoutMs,
      agentJobCreation,
    }
    const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
    return {
      ...given,
      ...pausing,
      ...(await toColumns('key', key, prefix)),
      ...(await toColumns('readKey', readKey, prefix)),
    }
  }

  return {
    list: async (): Promise<ConnectionList> => {
      const seen = await reports.seenBy(everything)
      return { items: await Promise.all(seen.map(present)), keyFiles: await listKeyFiles(keysFolder) }
    },
    add: async (request: CreateConnection, by: Actor): Promise<ConnectionSettings> => {
      const { key, readKey = null, baseUrl, bundleHosts = [], keyPrefix = null, ...rest } = request
      const { colour = null, production = false, keyExpiresOn = null, agentJobList = false } = rest
      const { deploymentKind = 'cloud', callsPerHour = 3600, timeoutMs = 30_000, agentJobCreation = false } = rest
      const values = {
        ...{ name: rest.name, colour, production, keyExpiresOn, agentJobList, keyPrefix },
        ...{ deploymentKind, callsPerHour, timeoutMs, agentJobCreation },
        kind: 'service' as const,
        source: 'settings' as const,
        baseUrl: toBaseUrl(baseUrl),
        bundleHosts: toBundleHosts(bundleHosts),
        ...(await toColumns('key', key, keyPrefix)),
        ...(await toColumns('readKey', readKey, keyPrefix)),
        createdBy: by.name,
      }
      let connectionId = ''
      await write(async (tx) => {
        await refuseTaken(tx, values.name, null)
        const [row] = await tx.insert(connections).values(values).returning()
        connectionId = row!.connectionId
        await record(tx, by, 'connection.added', row!, { address: row!.baseUrl, production })
      })
      return presentById(connectionId)
    },
    change: async (connectionId: string, asked: Settings, by: Actor): Promise<ConnectionSettings> => {
      await write(async (tx) => {
        const row = await locked(tx, connectionId)
        if (row.goneAt !== null) throw new AppError('conflict', 'This connection is gone. Add it again.')
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
          })
      })
      return presentById(connectionId)
    },
    /** Removes a connection and its keys. Its records stay, read-only. */
    remove: async (connectionId: string, by: Actor): Promise<void> => {
      await write(async (tx) => {
        const row = await locked(tx, connectionId)
        if (row.source !== 'settings')
          throw new AppError('conflict', 'The environment describes this connection, so it is removed there.')
        if (row.goneAt !== null) return
        const keys = { sealedKey: null, sealedReadKey: null, keyFile: null, readKeyFile: null }
        await tx
          .update(connections)
          .set({ ...keys, goneAt: new Date(now()) })
          .where(eq(connections.connectionId, connectionId))
        await record(tx, by, 'connection.removed', row)
      })
      await registry.refresh()
    },
    check: async (connectionId: string, by: Actor): Promise<KeyCheck> => {
      const known = registry.list().find(({ row }) => row.connectionId === connectionId)
      if (known === undefined) throw noSuch()
      const check = await registry.open(connectionId).keys.check()
      await record(db, by, 'connection.key_checked', known.row, { outcome: check.outcome })
      return check
    },
    /** Moves records of the `unassigned` connection. Records that the other one has already stay. */
    move: async (connectionId: string, to: string, by: Actor): Promise<void> => {
      if (connectionId !== unassignedId)
        throw new AppError('conflict', 'Only records that belong to no known service can be moved.')
      await write(async (tx) => {
        const target = await locked(tx, to)
        const moved = await moveRecords(tx, unassignedId, to)
        await record(tx, by, 'connection.records_moved', target, { records: moved })
      })
    },
  }
}

const nameSetting = (column: string): string =>
  column === 'sealedKey' || column === 'keyFile'
    ? 'key'
    : column.startsWith('sealedRead') || column === 'readKeyFile'
      ? 'read key'
      : column

/** Settings of the connections. */
export type ConnectionSettingsService = ReturnType<typeof connectionSettings>
