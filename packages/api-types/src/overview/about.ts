import { z } from 'zod'

export const About = z.object({
  version: z.string(),
  /** Identifies the code that runs: 12 hex digits, the same for the same files. */
  build: z.string(),
  /** When this version first used the database, after an upgrade from another version. Null for a new installation. ISO 8601, UTC. */
  upgradedAt: z.iso.datetime().nullable(),
  /** The version that the person last read about. Null if they know only this one. */
  lastRead: z.string().nullable(),
  /** Facts about the machine and its database, for admins. */
  host: z
    .object({
      /** When the process that answers started. ISO 8601, UTC. */
      startedAt: z.iso.datetime(),
      node: z.string(),
      postgres: z.string(),
      /** Operating system and processor, such as `linux-x64`. */
      platform: z.string(),
    })
    .nullable(),
})
export type About = z.infer<typeof About>
