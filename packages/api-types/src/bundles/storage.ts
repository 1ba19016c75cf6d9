import { z } from 'zod'

export const StoredBundle = z.object({
  /** Lower-case hexadecimal. */
  sha256: z.string(),
  /** Bytes in the store: the bundle and what Docket made from it. */
  storedBytes: z.int().nonnegative(),
  storedAt: z.iso.datetime(),
  /** Exports with exactly these bytes, newest first. Empty when only channels have it. */
  exports: z.array(
    z.object({
      exportId: z.uuid(),
      connectionId: z.uuid(),
      domain: z.string(),
      startedAt: z.iso.datetime(),
      kept: z.boolean(),
    }),
  ),
  /** Channels that show it or may go back to it, such as `production of docs.example.com`. Retention leaves it alone. */
  heldBy: z.array(z.string()).optional(),
  /** When retention will delete it; null when nothing is planned. ISO 8601, UTC. */
  deletedAfter: z.iso.datetime().nullable(),
})
export type StoredBundle = z.infer<typeof StoredBundle>

export const StorageQuery = z.object({
  sort: z.enum(['newest', 'largest', 'next_to_go']).default('newest'),
  skip: z.coerce.number<number>().int().min(0).max(1_000_000).default(0),
  limit: z.coerce.number<number>().int().min(1).max(200).default(50),
})
export type StorageQuery = z.infer<typeof StorageQuery>

/**
 * Decision of an admin about bundles in the store that this database does not know: Docket adopts them, leaves them alone, or removes the
 * orphans, as many as the admin saw.
 */
export const DecideOnStore = z.discriminatedUnion('decision', [
  z.object({ decision: z.enum(['adopt', 'leave']) }),
  z.object({ decision: z.literal('remove'), bundles: z.int().positive(), bytes: z.int().nonnegative() }),
])
export type DecideOnStore = z.infer<typeof DecideOnStore>

export const StorageReport = z.object({
  /** `local` disk, `s3`, or `none`: bundles are passed through, and `sentence` says why. */
  store: z.enum(['local', 's3', 'none']),
  sentence: z.string(),
  /** False when bundles are not stored although that is switched on; `sentence` says why. */
  isWell: z.boolean(),
  bundles: z.int().nonnegative(),
  storedBytes: z.int().nonnegative(),
  /** Free bytes on the disk of a `local` store. */
  freeBytes: z.int().nonnegative().nullable(),
  /** Number of newest bundles that each site keeps, and days after which older ones are deleted. */
  retention: z.object({ perSite: z.int().positive(), days: z.int().positive() }),
  /** Bundles that the next clean-up deletes, and the space that it frees. */
  next: z.object({ at: z.iso.datetime(), bundles: z.int().nonnegative(), bytes: z.int().nonnegative() }),
  /**
   * Bundles in the store that this database does not know. `store`: `unknown` it had bundles before this database used it, and an admin has to
   * decide about them · `adopting` them · `left` they stay as they are. `bundles` and `bytes` count all orphans: those without an export.
   */
  recovery: z
    .object({
      store: z.enum(['known', 'unknown', 'adopting', 'left']),
      bundles: z.int().nonnegative(),
      bytes: z.int().nonnegative(),
      /** Bundles that exports or channels refer to, and that the store lacks. */
      missing: z.int().nonnegative(),
      /** The largest. `removedAfter`: when Docket removes it by itself; null when it waits for an admin. ISO 8601, UTC. */
      orphans: z.array(
        z.object({ sha256: z.string(), bytes: z.int().nonnegative(), removedAfter: z.iso.datetime().nullable() }),
      ),
    })
    .nullish(),
  items: z.array(StoredBundle),
  nextSkip: z.int().nullable(),
})
export type StorageReport = z.infer<typeof StorageReport>
