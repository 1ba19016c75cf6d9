import { randomUUID } from 'node:crypto'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupReport } from '@docket/api-types/backups'
import { and, desc, eq, isNotNull, isNull, lt, type SQL } from 'drizzle-orm'
import { recordAudit } from '#ground/audit/audit.ts'
import type { BackupSettings } from '#ground/config/backups.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { type Actor, docketActor } from '#ground/identity/identity.ts'
import type { Log } from '#ground/log/log.ts'
import { openStaging } from '#process/backup/data-files.ts'
import { backupRuns } from './backup-runs.table.ts'
import { type BackupOrder, orderBackup } from './order-backup.ts'
import { type ObjectStorage, StorageFailed } from '@docket/artifact-store/object-storage'

/** A folder or a bucket for backups. Its objects are named `<prefix>docket-backup-<instance>-<time>.tar(.age)`. */
type BackupTarget = { storage: ObjectStorage; prefix: string }

const dayMs = 86_400_000

/** Readable message for a failure of the target; null for other errors. */
const explainTarget = (error: unknown): string | null =>
  // Replaced, because the store's own messages are about bundles.
  error instanceof StorageFailed ? error.message.replaceAll('the bundle', 'the backup') : null

/** The backups of one installation in a target. Touches no other object. */
const backupTarget = ({ storage, prefix }: BackupTarget, instance: string) => {
  const beginning = `${prefix}docket-backup-${instance}-`
  const isOurs = (key: string) =>
    key.startsWith(beginning) && /^\d{8}T\d{6}Z\.tar(\.age)?$/.test(key.slice(beginning.length))

  return {
    /** Name of a backup without the prefix. Names of later backups sort after those of earlier ones. */
    name: (at: Date, isEncrypted: boolean): string => {
      const stamp = at.toISOString().replace(/[-:]|\.\d+/g, '')
      return `docket-backup-${instance}-${stamp}.tar${isEncrypted ? '.age' : ''}`
    },
    /** Moves a file into the target. It appears whole or not at all. */
    put: (name: string, file: string): Promise<void> => storage.put(prefix + name, file),
    /** Removes leftovers of crashed uploads that are at least a day old. Returns their number. */
    removeUnfinished: (at: Date): Promise<number> =>
      storage.removeUnfinished(beginning, new Date(at.getTime() - dayMs)),
    /** Removes all but the newest `keep` of the backups in `made`, oldest first, and calls `removed` for each. */
    prune: async (
      keep: number,
      made: ReadonlySet<string | null>,
      removed: (name: string) => Promise<void>,
    ): Promise<void> => {
      const keys: string[] = []
      for await (const { key } of storage.list(beginning))
        if (isOurs(key) && made.has(key.slice(prefix.length))) keys.push(key)
      for (const key of keys.toSorted().slice(0, Math.max(0, keys.length - keep))) {
        await storage.remove(key)
        await removed(key.slice(prefix.length))
      }
    },
  }
}

export type BackupNeeds = Pick<BackupSettings, 'cron' | 'timeZone' | 'keep'> & {
  kind: 'folder' | 's3'
  target: BackupTarget
  order: Omit<BackupOrder, 'file'>
}

const workName = 'backup'
const historyMs = 400 * 86_400_000
const interrupted = 'The Docket that made it was ended before it was complete.'

class BackupFailed extends Error {
  override readonly name = 'BackupFailed'
}

/** Backups on a schedule, each made by one of the processes on the database. */
export const createScheduledBackups = (deps: {
  db: Database
  /** Null without a schedule. */
  backups: BackupNeeds | null
  /** Id of the installation, which is part of the name of each backup. */
  instance: { name: string }
  disks: { hasRoom: (...volumes: ('data' | 'backups')[]) => boolean }
  request: (name: string) => Promise<void>
  make?: typeof orderBackup
  now: () => number
  log: Log
}) => {
  const { db, backups: needs, disks, now, log, make = orderBackup } = deps
  const instance = deps.instance.name
  let failures = 0

  const makeOne = async ({ target, order }: BackupNeeds, startedAt: Date) => {
    if (!disks.hasRoom('data', 'backups'))
      throw new BackupFailed('The disk is nearly full, so no backup was begun. Free some space.')
    const place = backupTarget(target, instance)
    await place.removeUnfinished(startedAt).catch((error: unknown) => {
      log.warn({ err: error }, 'unfinished uploads of backups could not be removed')
    })
    const name = place.name(startedAt, order.encryptTo !== null)
    await mkdir(order.place.dataDir, { recursive: true, mode: 0o700 })
    // Temporary files of a process that was killed are removed with this folder at the next backup.
    const folder = await openStaging(order.place.dataDir)
    try {
      const file = join(folder, name)
      const { reason, detail } = await make({ ...order, file })
      if (reason !== null) {
        if (detail !== undefined) log.debug({ detail }, 'a scheduled backup failed')
        throw new BackupFailed(reason)
      }
      const { size } = await stat(file)
      await place.put(name, file)
      return { name, sizeBytes: size }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  const prune = async ({ target, keep }: BackupNeeds) => {
    const runs = await db.select({ name: backupRuns.name }).from(backupRuns)
    // Backups that this database does not know may be the only ones with data that a restore lost.
    const made = new Set(runs.map(({ name }) => name))
    await backupTarget(target, instance).prune(keep, made, (name) =>
      db.transaction(async (tx) => {
        await tx.delete(backupRuns).where(eq(backupRuns.name, name))
        await recordAudit(tx, docketActor, {
          action: 'backup.removed',
          at: new Date(now()),
          target: { type: 'backup', name },
        })
      }),
    )
  }

  const end = async (runId: string, made: Partial<typeof backupRuns.$inferInsert>, startedAt: Date) => {
    const at = new Date(now())
    await db.transaction(async (tx: Tx) => {
      await tx
        .update(backupRuns)
        .set({ ...made, endedAt: at })
        .where(eq(backupRuns.runId, runId))
      const { name = null, sizeBytes = null, reason = null } = made
      await recordAudit(tx, docketActor, {
        action: 'backup.made',
        outcome: reason === null ? 'ok' : 'failed',
        at,
        target: { type: 'backup', name },
        details: { sizeBytes, reason, seconds: Math.round((at.getTime() - startedAt.getTime()) / 1000) },
      })
    })
  }

  const run = async () => {
    if (needs === null) return
    const startedAt = new Date(now())
    const runId = randomUUID()
    await db.transaction(async (tx) => {
      await tx.update(backupRuns).set({ endedAt: startedAt, reason: interrupted }).where(isNull(backupRuns.endedAt))
      const isOld = lt(backupRuns.startedAt, new Date(now() - historyMs))
      await tx.delete(backupRuns).where(and(isOld, isNull(backupRuns.name)))
      await tx.insert(backupRuns).values({ runId, startedAt })
    })
    try {
      await end(runId, await makeOne(needs, startedAt), startedAt)
    } catch (error) {
      failures += 1
      const known = error instanceof BackupFailed ? error.message : explainTarget(error)
      const reason = known ?? 'The backup could not be made. The log says why.'
      await end(runId, { reason }, startedAt)
      throw error
    }
    // Only after a success, so that failures never use up the good ones.
    await prune(needs).catch((error: unknown) => {
      // The new backup is complete, and the next one removes the old ones.
      log.warn({ err: error }, 'old backups could not be removed; the next backup tries again')
    })
  }

  const readLatest = async (reader: Database, which?: SQL) => {
    const [run] = await reader.select().from(backupRuns).where(which).orderBy(desc(backupRuns.startedAt)).limit(1)
    return run
  }
  const isMade = isNotNull(backupRuns.name)

  return {
    /** The work for the queue; none without a schedule. */
    works:
      needs === null ? [] : [{ name: workName, cron: needs.cron, timeZone: needs.timeZone, long: true as const, run }],
    report: async (): Promise<BackupReport> => {
      const latest = await readLatest(db)
      const ended = await readLatest(db, isNotNull(backupRuns.endedAt))
      const last = await readLatest(db, isMade)
      const { CronExpressionParser } = await import('cron-parser')
      return {
        schedule: needs && {
          cron: needs.cron,
          timeZone: needs.timeZone,
          nextAt: CronExpressionParser.parse(needs.cron, { tz: needs.timeZone, currentDate: new Date(now()) })
            .next()
            .toDate()
            .toISOString(),
          target: needs.kind,
          encrypted: needs.order.encryptTo !== null,
          keep: needs.keep,
        },
        runningSince: latest?.endedAt === null ? latest.startedAt.toISOString() : null,
        last:
          last === undefined
            ? null
            : {
                name: last.name!,
                startedAt: last.startedAt.toISOString(),
                endedAt: last.endedAt!.toISOString(),
                sizeBytes: last.sizeBytes ?? 0,
              },
        failure:
          ended === undefined || ended.reason === null
            ? null
            : { at: ended.endedAt!.toISOString(), reason: ended.reason },
      }
    },
    /** Requests a backup now, from any free process. Throws `conflict` without a schedule. */
    request: async (by: Actor): Promise<void> => {
      if (needs === null)
        throw new AppError('conflict', 'No backups are scheduled. Set BACKUP_SCHEDULE, or run docket backup.')
      await db.transaction((tx) => recordAudit(tx, by, { action: 'backup.requested', at: new Date(now()) }))
      await deps.request(workName)
    },
    /** Numbers for the metrics, over all processes except that failures are only those of this process. Null without a schedule. */
    measure: async (probes: Database) => {
      if (needs === null) return null
      const last = await readLatest(probes, isMade)
      return {
        failures,
        last: last && {
          endedAt: last.endedAt!.getTime(),
          ms: last.endedAt!.getTime() - last.startedAt.getTime(),
          sizeBytes: last.sizeBytes ?? 0,
        },
      }
    },
  }
}
