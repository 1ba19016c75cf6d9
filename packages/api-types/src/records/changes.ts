import { z } from 'zod'

/** One line of a change with its line number before and after; null on the side that lacks it. A hunk's `text` is its whole header. */
export const DiffLine = z.object({
  kind: z.enum(['added', 'removed', 'hunk', 'same']),
  text: z.string(),
  before: z.int().nullable(),
  after: z.int().nullable(),
})
export type DiffLine = z.infer<typeof DiffLine>

/** Changes of one file. `note` says what is special (new, deleted, renamed from …, binary); `isCut`: it has more lines. */
export const DiffFile = z.object({
  path: z.string(),
  note: z.string(),
  lines: z.array(DiffLine),
  added: z.int(),
  removed: z.int(),
  isCut: z.boolean(),
})
export type DiffFile = z.infer<typeof DiffFile>

export const DiffStat = z.object({ files: z.int(), added: z.int(), removed: z.int() })
export type DiffStat = z.infer<typeof DiffStat>

/** Changes between two commits, at most 512 kB. `isCut`: `files` is incomplete. `totals` cover all files; null when counting took too long. */
export const Diff = z.object({ files: z.array(DiffFile), isCut: z.boolean(), totals: DiffStat.nullable() })
export type Diff = z.infer<typeof Diff>

/** A commit in a list. `at` is ISO 8601 with the author's own offset; long authors and subjects are cut. */
export const Commit = z.object({ hash: z.string(), author: z.string(), at: z.string(), subject: z.string() })
export type Commit = z.infer<typeof Commit>

/** Commits of a branch, oldest first, at most the newest 250 of `total`; and what they change. */
export const Changes = z.object({ commits: z.array(Commit), total: z.int(), diff: Diff })
export type Changes = z.infer<typeof Changes>
