import { z } from 'zod'
import { recordConnection } from '#ground/list.ts'

/** Exports to summarise. Days and numbers begin at `from`, by default 29 days before today; both in UTC. */
export const StaticExportStatisticsQuery = z.object({
  /** In ASCII. Without one, `exports` is empty. */
  domain: z.string().max(253).optional(),
  connection: z.uuid().optional(),
  from: z.iso.datetime().optional(),
})
export type StaticExportStatisticsQuery = z.infer<typeof StaticExportStatisticsQuery>

/** Median over `sample` exports with a known value; null if there are none. */
const median = z.object({ sample: z.int().nonnegative(), median: z.number().nonnegative().nullable() })

/** Finished exports by outcome. Refused ones count as `failed`; `lost`: the outcome is unknown, or the job is gone. */
const outcomes = {
  completed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  lost: z.int().nonnegative(),
  /** Durations of completed whole exports whose end Docket observed. Milliseconds. */
  durationMs: median,
  /** Pages of completed whole exports. */
  pages: median,
}

/** One finished export in a plot. A figure is null when unknown. */
export const FinishedExport = z.object({
  exportId: z.uuid(),
  ...recordConnection,
  outcome: z.enum(['completed', 'failed', 'lost']),
  startedAt: z.iso.datetime(),
  durationMs: z.number().nonnegative().nullable(),
  pageCount: z.int().nonnegative().nullable(),
  sizeBytes: z.int().nonnegative().nullable(),
  /** Broken links and outside requests that are not accepted; null without a finished check. Left out by earlier builds. */
  findings: z.int().nonnegative().nullish(),
  /** True when only some pages were requested. */
  partial: z.boolean(),
})
export type FinishedExport = z.infer<typeof FinishedExport>

export const StaticExportStatistics = z.object({
  /** The latest 200 of the domain, oldest first, whatever their age. */
  exports: z.array(FinishedExport),
  /** Start of the days and numbers. ISO 8601, UTC. Later than asked when more than 10,000 exports began since. */
  from: z.iso.datetime(),
  /** Days in UTC by the start of the exports, oldest first; days without exports are left out. */
  days: z.array(z.object({ /** ISO 8601, UTC. */ day: z.iso.datetime(), ...outcomes })),
  /** All days together. */
  total: z.object(outcomes),
})
export type StaticExportStatistics = z.infer<typeof StaticExportStatistics>
