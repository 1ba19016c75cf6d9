import { z } from 'zod'

export const BackupReport = z.object({
  /** Null when no backups are scheduled. */
  schedule: z
    .object({
      /** A cron expression of five fields. */
      cron: z.string(),
      timeZone: z.string(),
      nextAt: z.iso.datetime(),
      target: z.enum(['folder', 's3']),
      encrypted: z.boolean(),
      /** Number of newest backups to keep. */
      keep: z.int().positive(),
    })
    .nullable(),
  /** Start of a running backup. ISO 8601, UTC. */
  runningSince: z.iso.datetime().nullable(),
  /** The newest finished backup. */
  last: z
    .object({
      name: z.string(),
      startedAt: z.iso.datetime(),
      endedAt: z.iso.datetime(),
      sizeBytes: z.int().nonnegative(),
    })
    .nullable(),
  /** Why the newest attempt failed; null when it did not. */
  failure: z.object({ at: z.iso.datetime(), reason: z.string() }).nullable(),
})
export type BackupReport = z.infer<typeof BackupReport>
