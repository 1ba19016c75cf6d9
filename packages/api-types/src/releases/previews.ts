import { z } from 'zod'

/** Opens a page of an artifact. `path` is an address within the site, such as `/guide/`. */
export const OpenPreview = z.object({ path: z.string().max(4000).default('/') })
export type OpenPreview = z.infer<typeof OpenPreview>

/**
 * Why a preview is in a sandbox: `no_host` no hostname for previews is configured · `shared_cookies` the configured one is below Docket's own
 * domain, so its pages could set cookies for Docket · `by_number` Docket is open at 127.0.0.1 or localhost instead of its own name.
 */
export const SandboxReason = z.enum(['no_host', 'shared_cookies', 'by_number'])
export type SandboxReason = z.infer<typeof SandboxReason>

/** Address that opens a preview once, in this browser. */
export const Preview = z.object({
  /** Names it in reports and when it is closed. */
  previewId: z.uuid(),
  /** Absolute, or a path of Docket itself. Holds a ticket that works once. */
  url: z.string(),
  /**
   * `own_host`: at a hostname of its own · `sandbox`: at Docket's own address with an opaque origin, where a bundle that keeps data in the
   * browser or loads modules by root-absolute addresses may not work in full.
   */
  isolation: z.enum(['own_host', 'sandbox']),
  /** Null at a hostname of its own. */
  reason: SandboxReason.nullish(),
  /** Once `url` was opened, pages are at this address followed by theirs. Without a slash at its end. */
  base: z.string().nullish(),
  /** When it ends. ISO 8601, UTC. */
  expiresAt: z.iso.datetime(),
})
export type Preview = z.infer<typeof Preview>

/** Requests by pages of a preview that were blocked. */
export const PreviewViolations = z.object({
  /** Address of the page that the frame loaded last. Null before the first. */
  page: z.string().nullish(),
  violations: z.array(
    z.object({
      /** Address of the page within the site. */
      page: z.string(),
      /** Kind of request as the browser names it, such as `img-src`. */
      directive: z.string(),
      /** The requested address, shortened. */
      target: z.string(),
      count: z.int().positive(),
    }),
  ),
})
export type PreviewViolations = z.infer<typeof PreviewViolations>
