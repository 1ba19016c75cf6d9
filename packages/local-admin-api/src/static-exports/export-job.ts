import type { staticExports } from '#static-exports/static-exports.table.ts'

/** A static export: the fields of the Admin API (§2.3) and the state of the work. */
export type ExportJob = typeof staticExports.$inferSelect

export type ExportRequest = Pick<ExportJob, 'domain' | 'version' | 'paths' | 'pin' | 'priority'>

/** The whole job, with fields as a public service documents them (§4.2 and §4.3 show some). Times are ISO 8601, UTC. */
export const toWire = ({ jobId, domain, version, paths, status, progress, pageCount, error, ...job }: ExportJob) => ({
  jobId,
  domain,
  version,
  paths,
  status,
  progress,
  pageCount,
  error,
  exporter: job.exporter?.slice(0, 12) ?? null,
  createdAt: job.createdAt.toISOString(),
  updatedAt: job.updatedAt.toISOString(),
})
