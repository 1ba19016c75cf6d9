import { z } from 'zod'
import { ConnectionQuery } from '#service/connections.ts'
import { StaticExport } from '#records/static-exports.ts'
import { Release } from '#releases/sites.ts'

export const SiteRowsQuery = ConnectionQuery.extend({
  /** Part of a name or a domain. */
  q: z.string().trim().max(200).optional(),
  /** Rows to skip; `next` of the previous page. */
  skip: z.coerce.number<number>().int().min(0).max(1_000_000).default(0),
  limit: z.coerce.number<number>().int().min(1).max(25).default(25),
})
export type SiteRowsQuery = z.infer<typeof SiteRowsQuery>

/** One site: what its readers see, and its newest export. */
export const SiteRow = z.object({
  /** Null before the first stored bundle of the domain. */
  siteId: z.uuid().nullable(),
  name: z.string(),
  /** Its own connection and domain. */
  connectionId: z.uuid(),
  domain: z.string(),
  /** The main channel. Null when the caller sees none. */
  channelId: z.uuid().nullable(),
  /** What the main channel shows. */
  live: Release.pick({ number: true, rolledBackTo: true, at: true, by: true, exportId: true, sha256: true }).nullable(),
  /** The newest export of everything that feeds the site, in any state. */
  newest: StaticExport.nullable(),
  /** The caller may publish to the main channel. */
  mayPublish: z.boolean(),
  /** The caller may roll the main channel back, also one that no person publishes to. */
  mayRollBack: z.boolean(),
})
export type SiteRow = z.infer<typeof SiteRow>

/** Sites, and domains that were only exported, by name. */
export const SiteRows = z.object({
  rows: z.array(SiteRow),
  /** Matches of the query. */
  total: z.int().nonnegative(),
  /** `skip` of the next page; null at the end. */
  next: z.int().nullable(),
  /** Without `q`: there is no row at all. */
  isEmpty: z.boolean(),
  /** At least one site, matching or not, is live. */
  hasLive: z.boolean(),
})
export type SiteRows = z.infer<typeof SiteRows>
