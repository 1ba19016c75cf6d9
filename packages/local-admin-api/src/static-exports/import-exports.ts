import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#database/database.ts'
import { isFolder, keepAsImported, readRecords } from '#files/old-records.ts'
import type { Log } from '#log.ts'
import { staticExports } from '#static-exports/static-exports.table.ts'

const batch = 500
const maxInteger = 2 ** 31 - 1

// PostgreSQL takes neither NUL nor half a surrogate pair.
const text = z.string().transform((value) => value.replaceAll('\0', '').toWellFormed())
const instant = z.iso.datetime().transform((value) => new Date(value))

const OldExport = z.object({
  jobId: z.string(),
  domain: text,
  version: text.nullable(),
  paths: z.array(text).nullable(),
  status: z.enum(['queued', 'running', 'completed', 'failed']),
  progress: z.number().min(0).max(100),
  pageCount: z.int().min(0).max(maxInteger),
  error: text.nullable(),
  pin: z.object({ repository: text, ref: text.nullable(), folder: text, commit: text }).nullable().default(null),
  createdAt: instant,
  updatedAt: instant,
})
type OldExport = z.infer<typeof OldExport>

const parseOldExport = (value: unknown, id: string): OldExport | null => {
  const parsed = OldExport.safeParse(value)
  return parsed.success && parsed.data.jobId === id ? parsed.data : null
}

/** Runs once and renames the folders to `….imported`. Exports already in the database win. Repeatable after a crash. */
export const importExports = async (db: Database, folder: string, log: Log): Promise<void> => {
  const jobs = join(folder, 'jobs')
  const shown = join(folder, 'shown')
  if (await isFolder(jobs)) {
    const found = await readRecords(jobs, parseOldExport, log)
    for (let first = 0; first < found.length; first += batch)
      await importBatch(db, await Promise.all(found.slice(first, first + batch).map((old) => toRow(old, shown))))
    await keepAsImported(jobs)
    log.info({ exports: found.length }, 'the static exports of an earlier version were imported')
  }
  if (await isFolder(shown)) await keepAsImported(shown)
}

const toRow = async (old: OldExport, shown: string): Promise<OldExport> => {
  if (isOver(old)) return { ...old, progress: Math.fround(old.progress) }
  const { progress, pageCount } = await readShown(join(shown, old.jobId))
  return {
    ...old,
    status: 'queued',
    progress: Math.fround(Math.max(old.progress, progress)),
    pageCount: Math.max(old.pageCount, pageCount),
  }
}

const isOver = ({ status }: Pick<OldExport, 'status'>) => status === 'completed' || status === 'failed'

const shownLine = /^(\d{1,3}(?:\.\d+)?) (\d{1,9})$/

/** The export's own file may be a second older, and readers must never see less progress than before. */
const readShown = async (file: string): Promise<{ progress: number; pageCount: number }> => {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1)
  const [, progress = '0', pageCount = '0'] = lines.findLast((line) => shownLine.test(line))?.match(shownLine) ?? []
  return { progress: Math.min(Number(progress), 99), pageCount: Number(pageCount) }
}

/** Rejects without writing anything when what was read back differs. */
const importBatch = (db: Database, rows: readonly OldExport[]): Promise<void> =>
  db.transaction(async (tx) => {
    const added = await tx
      .insert(staticExports)
      .values(rows.map((row) => ({ ...row, touchedAt: row.updatedAt })))
      .onConflictDoNothing()
      .returning()
    const wanted = new Map(rows.map((row) => [row.jobId, row]))
    for (const row of added)
      if (!isDeepStrictEqual(withoutDefaults(row), wanted.get(row.jobId)))
        throw new Error(
          `The static export ${row.jobId} of an earlier version differs after its import. Its file stays.`,
        )
    const ids = inArray(staticExports.jobId, [...wanted.keys()])
    if ((await tx.$count(staticExports, ids)) !== rows.length)
      throw new Error('Not all static exports of the earlier version could be imported. Their files stay.')
  })

const withoutDefaults = (row: typeof staticExports.$inferSelect): OldExport => {
  const { jobId, domain, version, paths, status, pageCount, error, pin, createdAt, updatedAt } = row
  const progress = Math.fround(row.progress)
  return { jobId, domain, version, paths, status, progress, pageCount, error, pin, createdAt, updatedAt }
}
