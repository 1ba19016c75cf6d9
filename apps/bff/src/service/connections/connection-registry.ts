import { waitForDatabase } from '#ground/db/deadline.ts'
import type { Database } from '#ground/db/database.ts'
import { readListTag } from '#ground/db/revision.ts'
import { AppError, refusedFieldError } from '#ground/errors/app-error.ts'
import { isWithin } from '#ground/http/access/token-scope.ts'
import type { Log } from '#ground/log/log.ts'
import { type ConnectionRow, type KnownConnection, readConnections, explainReadOnly } from './connection-rows.ts'
import type { EmbeddedFacts } from './embedded-switch.ts'
import { type PerConnection, pickPart, type Subject } from './per-connection.ts'
import { sql } from 'drizzle-orm'

/**
 * Finds the connections that a domain or project belongs to: those of its newest records and of its sites or names, and the embedded one if
 * it has the domain or project. None while it was never used.
 */
const findHomes = async (db: Database, subject: Subject, own: EmbeddedFacts) => {
  // Refers to tables of areas above, because a record of any kind binds the name to its connection.
  const { rows } = await db.execute<{ id: string }>(
    'domain' in subject
      ? sql`select connection_id as id from (
          select connection_id from static_exports where domain = ${subject.domain} and removed_at is null
            and state <> 'refused' order by started_at desc nulls first limit 1000) as newest
          union select connection_id from sites where domain = ${subject.domain}`
      : sql`select connection_id as id from (
          select connection_id from agent_jobs where project_id = ${subject.projectId} and removed_at is null
            order by followed_at desc nulls first limit 1000) as newest
          union select connection_id from projects where project_id = ${subject.projectId}`,
  )
  const isOwn = 'domain' in subject ? own.domains.includes(subject.domain) : own.projectIds.includes(subject.projectId)
  return ({ kind, connectionId }: ConnectionRow): boolean =>
    (isOwn && kind === 'embedded') || (kind !== 'unassigned' && rows.some(({ id }) => id === connectionId))
}

const explainHome = (subject: Subject, { row, reason }: KnownConnection): string =>
  `${'domain' in subject ? subject.domain : subject.projectId} belongs to ${row.name}. ${reason ?? 'You can only view it.'} To start it elsewhere, choose a connection.`

export type Running = {
  start?: () => void
  /** Called every few seconds. */
  tick?: () => Promise<void>
  /** Called when records of the connection became due. */
  wake?: () => void
  stop?: () => Promise<unknown>
  close?: () => Promise<unknown>
}

/** Addition of an area above to each connection; `here` has its operations there. */
type Part<Here> = Running & { here: Here }

// Returns the settings whose change restarts a running connection.
const toRunningSettings = ({
  name,
  colour,
  production,
  keyExpiresOn,
  switchedOn,
  statusMeanings,
  ...settings
}: ConnectionRow): string => JSON.stringify(settings)

/** `build` throws an `Error` with a readable message when this process cannot use the connection. */
export const createConnectionRegistry = <Operations extends Running>(deps: {
  db: Database
  /** `wake` wakes every part of the connection. */
  build: (row: ConnectionRow, wake: () => void) => Promise<Operations>
  embedded: EmbeddedFacts
  log: Log
}) => {
  const { db, build, embedded, log } = deps
  const running = new Map<string, { by: string; operations: Operations; parts: Running[] }>()
  const partBuilders: ((operations: Operations) => Running)[] = []
  let known: readonly KnownConnection[] = []
  let tag: string | null = null
  let started = false
  let refreshing: Promise<void> = Promise.resolve()

  // Stop the parts first, because they use the connection.
  const stop = async ({ operations, parts }: { operations: Operations; parts: Running[] }) => {
    await Promise.all(parts.map(async (part) => part.stop?.()))
    await operations.stop?.()
  }
  const close = ({ operations, parts }: { operations: Operations; parts: Running[] }) =>
    Promise.all([operations, ...parts].map(async (one) => one.close?.()))
  const everything = () => [...running.values()].flatMap(({ operations, parts }) => [operations, ...parts])

  const end = async (connectionId: string) => {
    const ending = running.get(connectionId)
    running.delete(connectionId)
    if (ending === undefined) return
    await stop(ending)
    await close(ending)
  }

  const use = async (row: ConnectionRow): Promise<KnownConnection> => {
    const reason = explainReadOnly(row)
    const by = toRunningSettings(row)
    if (running.get(row.connectionId)?.by !== by) await end(row.connectionId)
    if (reason !== null) return { row, use: row.goneAt === null && row.pausedAt !== null ? 'paused' : 'gone', reason }
    if (running.has(row.connectionId)) return { row, use: 'active', reason: null }
    try {
      const parts: Running[] = []
      const operations = await build(row, () => parts.forEach((part) => part.wake?.()))
      for (const buildPart of partBuilders) parts.push(buildPart(operations))
      running.set(row.connectionId, { by, operations, parts })
      if (started) parts.forEach((part) => part.start?.())
      return { row, use: 'active', reason: null }
    } catch (error) {
      const problem = error instanceof Error ? error.message : 'It can’t be used.'
      const unusable = `The connection ${row.name} cannot be used here. ${problem}`
      if (unusable !== findKnown(row.connectionId)?.reason)
        log.warn({ connectionId: row.connectionId, name: row.name, problem }, 'a connection cannot be used')
      return { row, use: 'unusable', reason: unusable }
    }
  }

  const readAgain = async () => {
    const current = await readListTag(db, 'connections')
    // A missing key file, for example, may exist by now.
    if (current === tag && known.every(({ use }) => use !== 'unusable')) return
    const rows = await readConnections(db)
    const next: KnownConnection[] = []
    for (const row of rows) next.push(await use(row))
    const ids = new Set(rows.map(({ connectionId }) => connectionId))
    for (const connectionId of running.keys()) if (!ids.has(connectionId)) await end(connectionId)
    known = next
    tag = current
  }
  const refresh = () => (refreshing = refreshing.catch(() => {}).then(readAgain))

  const findKnown = (connectionId: string) => known.find(({ row }) => row.connectionId === connectionId)

  const perConnection: PerConnection<Operations> = {
    find: (connectionId) => running.get(connectionId)?.operations,
    open: (connectionId) => {
      const found = running.get(connectionId)
      if (found !== undefined) return found.operations
      const reason = findKnown(connectionId)?.reason ?? 'Docket doesn’t know this record’s connection.'
      throw new AppError('conflict', reason, { field: 'connectionId' })
    },
    choose: async (connectionId, { connectionIds, operates, domains, projectIds }, subject) => {
      const field = 'connectionId'
      // A restricted token sees only the connections that have records it may see.
      const isLimited = domains !== null || projectIds !== null
      const visible = known.filter(({ row }) => isWithin(connectionIds, row.connectionId))
      if (connectionId !== undefined) {
        const named = visible.find(({ row }) => row.connectionId === connectionId)
        if (named === undefined) throw new AppError('not_found', 'There is no such connection.', { field })
        if (!isWithin(operates, connectionId))
          throw new AppError('forbidden', 'You can only view this connection. Ask an admin for access.', { field })
        if (named.reason !== null)
          throw new AppError('conflict', isLimited ? 'This connection can’t be used now.' : named.reason, { field })
        return connectionId
      }
      const usable = visible.filter(({ row, use }) => use === 'active' && isWithin(operates, row.connectionId))
      if (usable.length === 0)
        throw new AppError('conflict', 'No service is connected. An admin can add one.', { field })
      const isHome = subject === undefined ? () => false : await findHomes(db, subject, embedded)
      const homes = visible.filter(({ row }) => isHome(row))
      const meant = homes.length === 0 ? usable : homes.filter((one) => usable.includes(one))
      const creating = meant.filter(({ row }) => row.agentJobCreation)
      const [first, second] = subject && 'projectId' in subject && creating.length > 0 ? creating : meant
      if (first === undefined) throw new AppError('conflict', explainHome(subject!, homes[0]!), { field })
      if (second !== undefined) {
        const names = meant.map(({ row }) => row.name).join(', ')
        throw refusedFieldError(field, `Choose a connection${isLimited ? '' : `: ${names}`}.`)
      }
      return first.row.connectionId
    },
    all: () => [...running.values()].map(({ operations }) => operations),
    isEmbedded: (connectionId) => findKnown(connectionId)?.row.kind === 'embedded',
  }

  return {
    ...perConnection,
    list: () => known,
    findKnown,
    /** Call this before the first `refresh`. */
    addPart: <Here>(build: (operations: Operations) => Part<Here>): PerConnection<Here> => {
      const parts = new WeakMap<Operations, Here>()
      partBuilders.push((operations) => {
        const part = build(operations)
        parts.set(operations, part.here)
        return part
      })
      return pickPart(perConnection, (operations) => parts.get(operations)!)
    },
    wake: () => everything().forEach((one) => one.wake?.()),
    /** Call this every few seconds. */
    tick: async () => {
      for (const outcome of await Promise.allSettled([refresh(), ...everything().map(async (one) => one.tick?.())]))
        if (outcome.status === 'rejected') log.debug({ err: outcome.reason }, 'the connections were not looked after')
    },
    /** Rejects when the database is unavailable. */
    refresh: () => waitForDatabase(refresh),
    start: () => {
      started = true
      for (const one of everything()) one.start?.()
    },
    stop: async () => {
      started = false
      await refreshing.catch(() => {})
      await Promise.all([...running.values()].map(stop))
    },
    close: async () => {
      await Promise.all([...running.values()].map(close))
    },
  }
}

export type ConnectionRegistry<Operations extends Running> = ReturnType<typeof createConnectionRegistry<Operations>>
