import { z } from 'zod'

/** Free space on a volume: `low` is a warning; at `critical`, Docket stores no bundles and its embedded service starts nothing. */
export const DiskLevel = z.enum(['fine', 'low', 'critical'])
export type DiskLevel = z.infer<typeof DiskLevel>

/** Free space of the volumes that this Docket writes to. Folders on one volume are listed once, under the first name. */
export const DiskReport = z.object({
  volumes: z.array(
    z.object({
      volume: z.enum(['data', 'artifacts', 'backups', 'temporary']),
      freeBytes: z.int().nonnegative(),
      /** Bytes that Docket could use if the volume were empty. */
      totalBytes: z.int().positive(),
      level: DiskLevel,
    }),
  ),
})
export type DiskReport = z.infer<typeof DiskReport>
