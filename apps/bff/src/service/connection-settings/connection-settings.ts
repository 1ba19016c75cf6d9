import type { AuditAction } from '@docket/api-types/audit'
import type {
  ConnectionList,
  ConnectionSettings,
  CreateConnection,
  KeyCheck,
  TestConnection,
} from '@docket/api-types/connections'
import { randomUUID } from 'node:crypto'
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { recordAudit } from '#ground/audit/audit.ts'
import { connections, unassignedId } from '#ground/db/connections.table.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError, refusedFieldError } from '#ground/errors/app-error.ts'
import { everything } from '#ground/http/access/token-scope.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { hasRecords } from '#service/connections/assign-records.ts'
import { readCodeHosts, toConnectionCodeHost } from '#service/connections/code-hosts.ts'
import { codeHosts } from '#service/connections/code-hosts.table.ts'
import {
  type ConnectionRow,
  countRecords,
  type KnownConnection,
  lockConnections,
  type RecordCounts,
} from '#service/connections/connection-rows.ts'
import { listKeyFiles } from '#service/connections/key-files.ts'
import { readKeyHealth, storeVerdict } from '#service/connections/key-health.ts'
import { proveKeys, type Verdict } from '#service/connections/key-proof.ts'
import { progressScales, readLearntScale } from '#service/connections/progress-scales.table.ts'
import type { ServiceCtx } from '#service/service-ctx.ts'
import {
  checkChangedSettings,
  describeNewConnection,
  nameSetting,
  noCredentials,
  type Settings,
} from './connection-columns.ts'
import { describeKnownConnection, listVisibleConnections } from './connection-reports.ts'

const noSuchConnectionError = () => new AppError('not_found', 'There is no such connection. Reload the page.')

const refuseSwitch = ({ kind }: ConnectionRow, { isFixed, because }: { isFixed: boolean; because: string }) => {
  if (kind !== 'embedded') throw refusedFieldError('switchedOn', 'Only this machine can be switched on and off.')
  if (isFixed)
    throw new AppError('conflict', `Docket’s environment decides, because ${because}.`, { field: 'switchedOn' })
}

const locateKey = (sealed: string | null, file: string | null, fromEnvironment: boolean) => {
  const from = fromEnvironment ? 'environment' : file !== null ? 'file' : sealed !== null ? 'stored' : 'none'
  return { from, file } as const
}

const presentSettings = async (
  ctx: ServiceCtx,
  known: KnownConnection,
  counts: RecordCounts,
): Promise<ConnectionSettings> => {
  const { db, embedded } = ctx
  const { row } = known
  const now = ctx.now()
  return {
    ...(await describeKnownConnection(ctx, known, everything)),
    baseUrl: row.baseUrl,
    key: locateKey(row.sealedKey, row.keyFile, row.source === 'environment'),
    readKey: locateKey(row.sealedReadKey, row.readKeyFile, false),
    keyPrefix: row.keyPrefix,
    headerNames: row.headerNames,
    clientCertificateExpiresOn: row.clientCertificateExpiresOn,
    callsPerHour: row.callsPerHour,
    timeoutMs: row.timeoutMs,
    bundleHosts: row.bundleHosts,
    keyHealth: await readKeyHealth(db, row, now),
    codeHosts: (await readCodeHosts(db, row.connectionId)).map((codeHost) => toConnectionCodeHost(codeHost, now)),
    embedded: row.kind === 'embedded' ? await embedded.readSwitch(db) : null,
    statusMeanings: row.statusMeanings,
    progressScale: { chosen: row.progressScale, learnt: await readLearntScale(db, row.connectionId) },
    records: counts.get(row.connectionId) ?? { staticExports: 0, agentJobs: 0 },
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
  }
}

const requireConnection = ({ registry }: ServiceCtx, connectionId: string): KnownConnection => {
  const known = registry.findKnown(connectionId)
  if (known === undefined) throw noSuchConnectionError()
  return known
}

/** `test` is null for keys that were not tested before. */
const presentChanged = async (ctx: ServiceCtx, connectionId: string, test: { verdict: Verdict } | null) => {
  await ctx.registry.refresh()
  if (test !== null) await ctx.registry.find(connectionId)?.keys.welcome(test.verdict)
  return presentSettings(ctx, requireConnection(ctx, connectionId), await countRecords(ctx.db))
}

const refuseTakenName = async (tx: Tx, name: string, but: string | null) => {
  const other = and(
    eq(sql`lower(${connections.name})`, name.toLowerCase()),
    isNull(connections.goneAt),
    but === null ? undefined : ne(connections.connectionId, but),
  )
  const rows = await tx.select({ connectionId: connections.connectionId }).from(connections).where(other)
  if (rows.length > 0) throw refusedFieldError('name', `Another connection is already called ${name}.`)
}

export const writeLockedConnections = <T>({ db }: ServiceCtx, work: (tx: Tx) => Promise<T>) =>
  db.transaction(async (tx) => {
    await lockConnections(tx)
    return work(tx)
  })

export const audit =
  ({ now }: ServiceCtx, by: Actor) =>
  (
    tx: Tx,
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

export const lockConnectionRow = async (tx: Tx, connectionId: string): Promise<ConnectionRow> => {
  const [row] = await tx.select().from(connections).where(eq(connections.connectionId, connectionId)).for('update')
  if (row === undefined || row.connectionId === unassignedId) throw noSuchConnectionError()
  return row
}

export const listConnections = async (ctx: ServiceCtx): Promise<ConnectionList> => {
  const [visible, counts] = await Promise.all([listVisibleConnections(ctx, everything), countRecords(ctx.db)])
  const listed = ctx.registry.list().filter((known) => known.row.kind === 'embedded' || visible.includes(known))
  const items = await Promise.all(listed.map((known) => presentSettings(ctx, known, counts)))
  return { items, keyFiles: await listKeyFiles(ctx.keysFolder) }
}

/** Tests the keys of a row that is not saved yet. */
const testRow = async ({ db, openClient, now }: ServiceCtx, row: ConnectionRow) => {
  const client = await openClient(row)
  try {
    const verdict = await proveKeys({ db, row, client, nowMs: now() }, true)
    return { verdict, fingerprint: await client.fingerprint(), at: new Date(now()) }
  } finally {
    await client.close()
  }
}

/** Name of another connection with the same address and keys. Null without one. */
const findTwin = async ({ registry, openClient }: ServiceCtx, row: ConnectionRow, fingerprint: string) => {
  for (const { row: other } of registry.list()) {
    if (other.connectionId === row.connectionId || other.baseUrl !== row.baseUrl || other.goneAt !== null) continue
    const client = await openClient(other).catch(() => null)
    const same = (await client?.fingerprint().catch(() => null)) === fingerprint
    await client?.close()
    if (same) return other.name
  }
  return null
}

/** Throws `conflict` with the setting to correct, unless the key is proven or the person saves it anyway. Null for requests that ask for no test. */
const testBeforeSaving = async (ctx: ServiceCtx, row: ConnectionRow, anyway: boolean | undefined) => {
  if (anyway === undefined) return null
  const test = await testRow(ctx, row)
  const { outcome, message, field } = test.verdict
  const twin = await findTwin(ctx, row, test.fingerprint)
  const told =
    twin && `${twin} has the same address and key, so its calls count against the same limits of the service.`
  const problems = [outcome === 'proven' ? null : message, told].filter((problem) => problem !== null)
  if (problems.length > 0 && !anyway) throw new AppError('conflict', problems.join(' '), { field })
  return test
}

const saveTest = async (tx: Tx, connectionId: string, test: Awaited<ReturnType<typeof testBeforeSaving>>) => {
  if (test === null) return
  const { fingerprint, at, verdict } = test
  await storeVerdict(tx, { connectionId, fingerprint, at }, verdict)
}

/** Saves nothing. */
export const testConnection = async (
  ctx: ServiceCtx,
  request: z.output<typeof TestConnection>,
  by: Actor,
): Promise<KeyCheck> => {
  const row = await describeNewConnection(ctx, request, { name: '', createdBy: by.name })
  const { verdict, at } = await testRow(ctx, row)
  await recordAudit(ctx.db, by, {
    action: 'connection.tested',
    at,
    details: { address: row.baseUrl, outcome: verdict.outcome },
  })
  return { outcome: verdict.outcome, message: verdict.message, at: at.toISOString() }
}

export const addConnection = async (
  ctx: ServiceCtx,
  { anyway, name, ...request }: z.output<typeof CreateConnection>,
  by: Actor,
): Promise<ConnectionSettings> => {
  const row = await describeNewConnection(ctx, request, { name, createdBy: by.name })
  const { connectionId } = row
  if (anyway !== undefined) await refuseTakenName(ctx.db, name, null)
  const test = await testBeforeSaving(ctx, row, anyway)
  await writeLockedConnections(ctx, async (tx) => {
    await refuseTakenName(tx, name, null)
    await tx.insert(connections).values(row)
    await saveTest(tx, connectionId, test)
    await audit(ctx, by)(tx, 'connection.added', row, { address: row.baseUrl, production: row.production })
  })
  return presentChanged(ctx, connectionId, test)
}

/** Without a word about a new address, it is that of another service if records would be asked of it. */
const isAnotherService = async (tx: Tx, row: ConnectionRow, set: Partial<ConnectionRow>, sameService?: boolean) =>
  set.baseUrl !== undefined &&
  set.baseUrl !== row.baseUrl &&
  !(sameService ?? !(await hasRecords(tx, row.connectionId)))

/** Its records stay, read-only. */
const retireConnection = async (ctx: ServiceCtx, tx: Tx, { connectionId }: ConnectionRow): Promise<void> => {
  await tx
    .update(connections)
    .set({ ...noCredentials, goneAt: new Date(ctx.now()) })
    .where(eq(connections.connectionId, connectionId))
  await tx.delete(codeHosts).where(eq(codeHosts.connectionId, connectionId))
}

/** Tests the keys that a change would use, if it changes keys or where they are sent. */
const testChange = async (ctx: ServiceCtx, connectionId: string, asked: Settings) => {
  if (asked.anyway === undefined) return null
  const [row] = await ctx.db.select().from(connections).where(eq(connections.connectionId, connectionId))
  const { anyway, baseUrl, key, readKey, keyPrefix, headers, clientCertificate, sameService } = asked
  const isTested = [baseUrl, key, readKey, keyPrefix, headers, clientCertificate].some(
    (setting) => setting !== undefined,
  )
  if (row === undefined || !isTested || row.goneAt !== null || row.pausedAt !== null) return null
  const set = await checkChangedSettings(ctx, row, asked)
  // The test asks about the connection's own project, which another service must not learn.
  const other = (await isAnotherService(ctx.db, row, set, sameService)) ? { connectionId: randomUUID() } : {}
  return testBeforeSaving(ctx, { ...row, ...set, ...other }, anyway)
}

export const changeConnection = async (
  ctx: ServiceCtx,
  connectionId: string,
  asked: Settings,
  by: Actor,
): Promise<ConnectionSettings> => {
  const record = audit(ctx, by)
  const test = await testChange(ctx, connectionId, asked)
  const savedId = await writeLockedConnections(ctx, async (tx) => {
    const row = await lockConnectionRow(tx, connectionId)
    const settles = row.source === 'environment' && row.goneAt !== null && asked.sameService === false
    if (asked.switchedOn !== undefined) refuseSwitch(row, await ctx.embedded.readSwitch(tx))
    else if (row.goneAt !== null && !settles)
      throw new AppError('conflict', 'This connection was removed. Add it again.')
    const set = settles ? { anotherService: true } : await checkChangedSettings(ctx, row, asked)
    if (Object.keys(set).length === 0) return connectionId
    if (set.name !== undefined) await refuseTakenName(tx, set.name, connectionId)
    if (await isAnotherService(tx, row, set, asked.sameService)) {
      const own = {
        connectionId: randomUUID(),
        createdBy: by.name,
        createdAt: new Date(ctx.now()),
        statusMeanings: {},
        progressScale: null,
      }
      const next = { ...row, ...set, ...own }
      await retireConnection(ctx, tx, row)
      await record(tx, 'connection.removed', row, { replacedBy: own.connectionId })
      await tx.insert(connections).values(next)
      await saveTest(tx, own.connectionId, test)
      await record(tx, 'connection.added', next, { address: next.baseUrl, production: next.production })
      return own.connectionId
    }
    await tx.update(connections).set(set).where(eq(connections.connectionId, connectionId))
    if (set.progressScale === null) await tx.delete(progressScales).where(eq(progressScales.connectionId, connectionId))
    await saveTest(tx, connectionId, test)
    const { pausedAt, ...rest } = set
    const changed = Object.keys(rest)
    if (pausedAt !== undefined && (pausedAt === null) !== (row.pausedAt === null))
      await record(tx, pausedAt === null ? 'connection.resumed' : 'connection.paused', row)
    if (changed.length > 0)
      // Log only names of settings: a value may be a key.
      await record(tx, 'connection.changed', row, {
        settings: [...new Set(changed.map(nameSetting))].join(', '),
        ...(asked.switchedOn !== undefined && { switchedOn: asked.switchedOn }),
      })
    return connectionId
  })
  return presentChanged(ctx, savedId, test)
}

export const removeConnection = async (ctx: ServiceCtx, connectionId: string, by: Actor): Promise<void> => {
  await writeLockedConnections(ctx, async (tx) => {
    const row = await lockConnectionRow(tx, connectionId)
    if (row.source !== 'settings')
      throw new AppError('conflict', 'Docket’s environment describes this connection. Remove it there.')
    if (row.goneAt !== null) return
    await retireConnection(ctx, tx, row)
    await audit(ctx, by)(tx, 'connection.removed', row)
  })
  await ctx.registry.refresh()
}

/** Makes one call with each key, and at most one a minute with a key that can't be valid. Rejects while calls are paused or the budget is spent. */
export const checkKeys = async (ctx: ServiceCtx, connectionId: string, by: Actor): Promise<KeyCheck> => {
  const { row } = requireConnection(ctx, connectionId)
  const check = await ctx.registry.open(connectionId).keys.check()
  await audit(ctx, by)(ctx.db, 'connection.key_checked', row, { outcome: check.outcome })
  return check
}
