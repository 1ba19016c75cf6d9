import { z } from 'zod'

/** A static export on disk: the fields of the Admin API (§2.3) and the state for a resume. Times are ISO 8601, UTC. */
export const ExportJob = z.object({
  jobId: z.string(),
  domain: z.string(),
  /** Label from the start request; shown on the pages. */
  version: z.string().nullable(),
  /** Page paths to export; null for every page. */
  paths: z.array(z.string()).nullable(),
  status: z.enum(['queued', 'running', 'completed', 'failed']),
  /** 0 to 100; only grows, also across a resume. */
  progress: z.number(),
  /** Pages written so far; only grows. */
  pageCount: z.number(),
  /** Reason of a failure, for the reader. */
  error: z.string().nullable(),
  /** Number of attempts. */
  attempts: z.number(),
  /** Commit of a git site, pinned at the start: every attempt reads the same one. */
  pin: z
    .object({ repository: z.string(), ref: z.string().nullable(), folder: z.string(), commit: z.string() })
    .nullable()
    .default(null),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type ExportJob = z.infer<typeof ExportJob>

/** A checked start, with its pinned commit. */
export type ExportRequest = Pick<ExportJob, 'domain' | 'version' | 'paths' | 'pin'>

/** Parses the record in the file of `id`. Null for other content. */
export const parseExportJob = (value: unknown, id: string): ExportJob | null => {
  const parsed = ExportJob.safeParse(value)
  return parsed.success && parsed.data.jobId === id ? parsed.data : null
}

/** The whole job, with fields as a public service documents them (§4.2 and §4.3 show some). */
export const toWire = ({ attempts: _attempts, pin: _pin, ...job }: ExportJob) => job
