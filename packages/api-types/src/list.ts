import { z } from 'zod'

/** What every list accepts: a page size and the cursor that the page before handed out. */
export const ListQuery = z.object({
  /** Opaque; `nextCursor` of the page before. */
  cursor: z.string().max(4000).optional(),
  /** Rows on a page, 1 to 50. */
  limit: z.coerce.number().int().min(1).max(50).default(50),
})
export type ListQuery = z.infer<typeof ListQuery>

/** When a record was, and will be, read from the Admin API. All ISO 8601, UTC. */
export const checkTimes = {
  /** Last good answer; null before the first. */
  checkedAt: z.iso.datetime().nullable(),
  /** Next automatic read; null when Docket has stopped polling this record. */
  nextCheckAt: z.iso.datetime().nullable(),
}

/**
 * Text that came from upstream and looks like an address. `href` is set only when it is safe to follow:
 * https (or loopback http while Docket uses its embedded service), no userinfo, no control or bidi characters, an ASCII host.
 */
export const UpstreamLink = z.object({
  /** The text as the service sent it. */
  text: z.string(),
  href: z.string().nullable(),
  /** Host of `href`, to be shown beside the link. */
  host: z.string().nullable(),
  /** Short name where the address is understood, such as `owner/repository` or `owner/repository#12`. */
  label: z.string().nullable(),
})
export type UpstreamLink = z.infer<typeof UpstreamLink>
