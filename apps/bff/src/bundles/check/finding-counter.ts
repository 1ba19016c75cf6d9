import type { StoredSite } from '@docket/site-bundle/open-site'
import { findPreviewLeaks } from '@docket/site-bundle/check/preview-leaks'
import type { Finding } from '@docket/site-bundle/report'
import { inTurnPerKey } from '@docket/once'
import { and, eq, inArray, ne } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { type ExportRecords, isArtifact, isComparable } from '#bundles/artifacts/artifacts.rows.ts'
import type { StoreView } from '#bundles/artifacts/artifacts.state.ts'
import { acceptedFindings, artifacts, previewViolations, storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import { sites } from '#ground/db/sites.table.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'

type Cause = Pick<Finding, 'fingerprint' | 'level'>
type Causes = { found: readonly Cause[]; isFinished: boolean }

const maxReports = 200

const countLevels = (causes: readonly Cause[]) => {
  const counts = { breaks: 0, leaks: 0, notes: 0 }
  for (const { level } of causes) counts[level] += 1
  return counts
}

/** Locks a site and its artifacts until the transaction ends. Call it before any other lock, because all counts are written in this order. */
export const lockSite = async (tx: Tx, siteId: string): Promise<void> => {
  // This lock mode does not block new artifacts, which only refer to the site.
  await tx.select({ siteId: sites.siteId }).from(sites).where(eq(sites.siteId, siteId)).for('no key update')
  await tx
    .select({ exportId: artifacts.exportId })
    .from(artifacts)
    .where(and(eq(artifacts.siteId, siteId), ne(artifacts.state, 'not_stored')))
    .orderBy(artifacts.exportId)
    .for('update')
}

/** Counts the findings of stored artifacts as the findings page shows them: reports, what previews saw, and what people accepted. */
export const createFindingCounter = (deps: {
  db: Database
  openSite: (sha256: string) => StoredSite
  view: () => Promise<StoreView>
  exports: Pick<ExportRecords, 'countChange'>
  log: Log
}) => {
  const { db, openSite, view, exports, log } = deps
  const known = new LRUCache<string, Causes>({ max: maxReports })
  const inTurn = inTurnPerKey()
  const waiting = new Map<string, Promise<void>>()

  const load = async (sha256: string): Promise<Causes> => {
    const cached = known.get(sha256)
    if (cached !== undefined) return cached
    const { findings, unfinished } = await openSite(sha256).report()
    const found = findings.map(({ fingerprint, level }) => ({ fingerprint, level }))
    const causes = { found, isFinished: unfinished === null }
    known.set(sha256, causes)
    return causes
  }
  const tryToLoad = (sha256: string): Promise<Causes | null> =>
    load(sha256).catch((error: unknown) => {
      log.warn({ err: error, sha256 }, 'findings of a stored bundle could not be counted')
      return null
    })
  const isStoredAt = (siteId: string) => and(eq(artifacts.siteId, siteId), eq(artifacts.state, 'stored'))
  /** Stored artifacts of a site, oldest first, each with the bundle of the artifact that it is compared with. */
  const listWithPrevious = async (tx: Tx, siteId: string) => {
    const rows = await tx
      .select({ row: artifacts, isComparable: isComparable((await view()).name) })
      .from(artifacts)
      .innerJoin(storedBundles, eq(artifacts.sha256, storedBundles.sha256))
      .where(isStoredAt(siteId))
      .orderBy(artifacts.exportedAt, artifacts.exportId)
    let latest: string | null = null
    return rows.map((one) => {
      const previous = latest
      if (one.isComparable) latest = one.row.sha256
      return { ...one.row, previous }
    })
  }

  /** Reads the reports of a site before the lock, so that no lock is held while waiting for the store. */
  const prepare = async (siteId: string): Promise<void> => {
    const rows = await db.select({ sha256: artifacts.sha256 }).from(artifacts).where(isStoredAt(siteId))
    for (const { sha256 } of rows) if (sha256 !== null) await tryToLoad(sha256)
  }

  const readPreviewed = async (tx: Tx, sums: readonly string[]) => {
    const rows = await tx
      .select()
      .from(previewViolations)
      .where(inArray(previewViolations.sha256, [...sums]))
    const bySum = Map.groupBy(rows, ({ sha256 }) => sha256)
    return new Map([...bySum].map(([sha256, some]) => [sha256, findPreviewLeaks(some, (page) => page)]))
  }

  /** Writes the counts of all artifacts of a locked site. Returns the exports whose counts changed. */
  const write = async (tx: Tx, siteId: string): Promise<string[]> => {
    const rows = await listWithPrevious(tx, siteId)
    const previewed = await readPreviewed(
      tx,
      rows.flatMap(({ sha256 }) => sha256 ?? []),
    )
    const accepted = await tx.select().from(acceptedFindings).where(eq(acceptedFindings.siteId, siteId))
    const isAccepted = new Set(accepted.map(({ fingerprint }) => fingerprint))

    const read = async (sha256: string) => {
      const causes = await tryToLoad(sha256)
      if (causes === null) return null
      const all = new Map<string, Cause>()
      for (const cause of [...causes.found, ...(previewed.get(sha256) ?? [])])
        if (!all.has(cause.fingerprint)) all.set(cause.fingerprint, cause)
      return { ...causes, all }
    }
    const countAdded = async (previous: string | null, open: readonly Cause[]) => {
      const before = previous && (await read(previous))
      if (!before) return null
      // New causes are unknown when the check of the previous bundle did not finish.
      return countLevels(before.isFinished ? open.filter(({ fingerprint }) => !before.all.has(fingerprint)) : [])
    }
    const changed: string[] = []
    for (const row of rows) {
      const causes = row.sha256 && (await read(row.sha256))
      if (!causes) continue
      const open = [...causes.all.values()].filter(({ fingerprint }) => !isAccepted.has(fingerprint))
      const added = await countAdded(row.previous, open)
      const counts = {
        ...countLevels(open),
        newBreaks: added?.breaks ?? null,
        newLeaks: added?.leaks ?? null,
        newNotes: added?.notes ?? null,
      }
      const names = Object.keys(counts) as (keyof typeof counts)[]
      if (names.every((count) => row[count] === counts[count])) continue
      await tx.update(artifacts).set(counts).where(isArtifact(row.exportId))
      changed.push(row.exportId)
    }
    return changed
  }

  const countSite = async (siteId: string) => {
    // Requests that arrive from here on are served by the next count.
    waiting.delete(siteId)
    await prepare(siteId)
    await db.transaction(async (tx) => {
      await lockSite(tx, siteId)
      const changed = await write(tx, siteId)
      if (changed.length > 0) await exports.countChange(tx, changed)
    })
  }
  /** Counts a site again. Requests that arrive during a count share the next one. */
  const recountSite = (siteId: string): Promise<void> => {
    const next = waiting.get(siteId) ?? inTurn(siteId, () => countSite(siteId))
    waiting.set(siteId, next)
    return next
  }

  return {
    load,
    prepare,
    write,
    recountSite,
    /** Counts all sites with a bundle again, after its findings changed. */
    recount: async (sha256: string): Promise<void> => {
      const rows = await db
        .selectDistinct({ siteId: artifacts.siteId })
        .from(artifacts)
        .where(and(eq(artifacts.sha256, sha256), eq(artifacts.state, 'stored')))
      await Promise.all(rows.map(({ siteId }) => recountSite(siteId)))
    },
  }
}

export type FindingCounter = ReturnType<typeof createFindingCounter>
