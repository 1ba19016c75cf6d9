import { z } from 'zod'

/** `anyway`: also what is no archive, such as an error page, which is refused otherwise. */
export const DownloadQuery = z.object({ anyway: z.stringbool().optional() })

/** A fresh bundle link (Admin API §4.4) for "copy link". A secret that expires: shown once, never cached. */
export const BundleLink = z.object({
  bundleUrl: z.url(),
  /** Size of the archive in bytes, if the service reports it. */
  sizeBytes: z.int().nonnegative().nullable(),
  /** Expiry of the link, if the service or the link itself names it. ISO 8601, UTC. */
  expiresAt: z.iso.datetime().nullable(),
})
export type BundleLink = z.infer<typeof BundleLink>

/** Answer of "prepare": the bundle exists, its size and its file name. */
export const PreparedBundle = z.object({
  sizeBytes: z.int().nonnegative().nullable(),
  /** Its ending comes from the first bytes; without one for an unknown format, and with `BUNDLE_DELIVERY=redirect`. */
  fileName: z.string(),
  /** With `anyway`: why the bundle is no archive that Docket reads, as a sentence. Absent for any other. */
  problem: z.string().optional(),
})

export type PreparedBundle = z.infer<typeof PreparedBundle>
