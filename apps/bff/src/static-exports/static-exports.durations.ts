import type { UsualDuration } from '@docket/api-types/list'
import type { Database } from '#db/database.ts'
import { cachedUsualDurations, usualDurations } from '#history/usual-durations.ts'
import { staticExports } from './static-exports.table.ts'
import { isActive, type StaticExportRow } from './static-exports.view.ts'

/** How long whole exports of a domain take here; null for an export of some pages. */
export type ExportDurations = {
  forOne: (row: StaticExportRow) => Promise<UsualDuration | null>
  /** Of those that run, for a list; null for the others. May be some seconds old. */
  forRunning: (rows: readonly StaticExportRow[]) => Promise<(row: StaticExportRow) => UsualDuration | null>
}

const timed = { table: staticExports, by: staticExports.domain }

const isWhole = ({ paths }: StaticExportRow) => paths === null

/** `now`: milliseconds since the epoch. */
export const exportDurations = (db: Database, now: () => number): ExportDurations => {
  const cached = cachedUsualDurations(timed, now)
  return {
    forOne: async (row) =>
      isWhole(row) ? ((await usualDurations(db, timed, [row.domain])).get(row.domain) ?? null) : null,
    forRunning: async (rows) => {
      const compared = rows.filter((row) => isWhole(row) && isActive(row))
      const known = await cached(
        db,
        compared.map(({ domain }) => domain),
      )
      return (row) => (compared.includes(row) ? (known.get(row.domain) ?? null) : null)
    },
  }
}
