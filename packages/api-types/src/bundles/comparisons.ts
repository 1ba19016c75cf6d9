import { z } from 'zod'
import { ChangeCounts } from '#records/artifacts.ts'

/** How a page changed between two artifacts. `moved`: the same or nearly the same text at another address. */
export const PageChangeKind = z.enum(['added', 'removed', 'changed', 'moved'])
export type PageChangeKind = z.infer<typeof PageChangeKind>

export const ComparisonQuery = z.object({
  /** An export of the same site; by default the one stored before. */
  against: z.uuid().optional(),
  kind: PageChangeKind.optional(),
  q: z.string().trim().max(200).optional(),
  skip: z.coerce.number<number>().int().min(0).max(1_000_000).default(0),
  limit: z.coerce.number<number>().int().min(1).max(500).default(200),
})
export type ComparisonQuery = z.infer<typeof ComparisonQuery>

export const ChangedPage = z.object({
  kind: PageChangeKind,
  /** Address in the later artifact; of a removed page, in the earlier one. */
  address: z.string(),
  title: z.string(),
  /** Earlier address of a moved page. */
  from: z.string().nullable(),
  /** Words added and removed in the main text. Null for an added or removed page, and when too many pages changed to count them. */
  words: z.object({ added: z.int().nonnegative(), removed: z.int().nonnegative() }).nullable(),
  /** Parts that differ: `text`, `headings`, `links`, `title`, `files` it shows. */
  parts: z.array(z.enum(['text', 'headings', 'links', 'title', 'files'])),
  /** For a removed or moved page: whether the later artifact redirects its old address; `proposal` is a suggested target. */
  redirect: z.object({ exists: z.boolean(), proposal: z.string().nullable() }).nullable(),
})
export type ChangedPage = z.infer<typeof ChangedPage>

export const ComparedArtifact = z.object({
  exportId: z.uuid(),
  /** Time of the export. ISO 8601, UTC. */
  startedAt: z.iso.datetime(),
  version: z.string().nullable(),
  pages: z.int().nonnegative(),
})
export type ComparedArtifact = z.infer<typeof ComparedArtifact>

export const Comparison = z.object({
  earlier: ComparedArtifact,
  later: ComparedArtifact,
  counts: ChangeCounts,
  /** Changes that most pages share, one line for each: navigation, header, footer, theme. */
  shared: z.array(z.object({ part: z.enum(['navigation', 'header', 'footer', 'theme']), sentence: z.string() })),
  /** Files other than pages, by kind of change. */
  files: z.object({ added: z.int(), removed: z.int(), changed: z.int() }),
  /** Pages in both artifacts that are not compared, because the check of one did not finish. */
  unread: z.int().nonnegative().nullish(),
  /** In the order of their addresses. */
  pages: z.array(ChangedPage),
  /** Matches of the query. */
  total: z.int().nonnegative(),
  /** `skip` of the next part; null at the end. */
  next: z.int().nullable(),
  /** Other artifacts of the site to compare with, newest first, at most 50. */
  others: z.array(ComparedArtifact),
})
export type Comparison = z.infer<typeof Comparison>

/** One page in both artifacts, by its address in the later one; of a removed page, in the earlier one. */
export const PageComparisonQuery = z.object({ against: z.uuid().optional(), address: z.string().min(1).max(4000) })
export type PageComparisonQuery = z.infer<typeof PageComparisonQuery>

/** Runs of words of a block: a paragraph, a heading, an item of a list, a cell or a line of code. */
export const BlockChange = z.object({
  /** Name of the block's element, such as `p`, `h2`, `li`, `pre`. */
  element: z.string(),
  runs: z.array(z.object({ kind: z.enum(['same', 'added', 'removed']), text: z.string() })),
})
export type BlockChange = z.infer<typeof BlockChange>

/** The words of a page before and after. Long runs without a change are cut to their ends. */
export const PageComparison = z.object({
  page: ChangedPage,
  blocks: z.array(BlockChange),
  /** True when the page is too long to compare in full. */
  isCut: z.boolean(),
})
export type PageComparison = z.infer<typeof PageComparison>

/** A note for readers about what changed, made from a comparison. Markdown. */
export const ReleaseNote = z.object({ markdown: z.string() })
export type ReleaseNote = z.infer<typeof ReleaseNote>
