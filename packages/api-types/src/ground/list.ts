import { z } from 'zod'
import { CheckFailure } from './api-error.ts'
import { optionalText } from './text.ts'

/** An instant in the years 1 to 9999, also in UTC: databases write others in other ways. */
export const instant = z.iso
  .datetime({
    offset: true,
    error: 'Write a time with its zone, such as 2026-11-22T00:00:00Z.',
  })
  .refine((text) => {
    const year = new Date(text).getUTCFullYear()
    return year >= 1 && year <= 9999
  }, 'This is outside the years 1 to 9999.')

export const ListQuery = z.object({
  /** Opaque; `nextCursor` of the previous page. */
  cursor: z.string().max(4000).optional(),
  /**
   * Opaque. The page ends with the row of this cursor, so consecutive pages have no gap. `nextCursor` then begins the
   * rest of this range; null when the page covers the range.
   */
  until: z.string().max(4000).optional(),
  limit: z.coerce.number<number>().int().min(1).max(50).default(50),
  /** Search words; each must begin a word of the record. A word before a dot, hyphen or other sign must match in full. */
  q: z.string().trim().max(200).optional(),
  /** `true`: only records that need attention. */
  attention: z.stringbool().optional(),
  connection: z.uuid().optional(),
  /** Only records since this time: the start of an export, or when an agent job was first added. ISO 8601 with a zone. */
  from: instant.optional(),
  /** Only records before this time. ISO 8601 with a zone. */
  to: instant.optional(),
  /** `true`: removed records instead of listed ones, the last removed first; with `sort=oldest`, the first removed first. */
  removed: z.stringbool().optional(),
})
export type ListQuery = z.infer<typeof ListQuery>

/** Number of records that match a filter: exact up to 1,000, then `more`. For a common word in a long list, `more` means at least `count`. */
export const MatchCount = z.object({ count: z.int().nonnegative(), more: z.boolean() })
export type MatchCount = z.infer<typeof MatchCount>

/** Counts of a list. `filtered` and `removed` were left out by earlier builds. */
export const createListCounts = <Group extends z.ZodEnum>(group: Group) =>
  z.object({
    all: z.int(),
    active: z.int(),
    attention: z.int(),
    groups: z.record(group, z.int()),
    /** Number of matches of the filter. Null if no filter is set. */
    matching: MatchCount.nullable(),
    /** Matches of the text, field and date filters in any state. Null if none is set. */
    filtered: z.object({ all: MatchCount, attention: MatchCount, groups: z.record(group, MatchCount) }).nullish(),
    /** Removed records that match the same filters. */
    removed: MatchCount.nullish(),
  })

/** When a removed record was removed, and from when on it may be deleted for good. ISO 8601, UTC. Null or left out for a listed one. */
export const removalTimes = {
  removedAt: z.iso.datetime().nullish(),
  deletedAfter: z.iso.datetime().nullish(),
}

/** Durations of `sample` similar finished records, as Docket observed them. Milliseconds. Null below five records. */
export const UsualDuration = z.object({
  sample: z.int().positive(),
  p25Ms: z.number().nonnegative(),
  p50Ms: z.number().nonnegative(),
  p75Ms: z.number().nonnegative(),
  p95Ms: z.number().nonnegative(),
})
export type UsualDuration = z.infer<typeof UsualDuration>

/** Connection that a record belongs to. Left out by Dockets with one connection only (before 0.2). */
export const recordConnection = { connectionId: z.uuid().optional() }

/** False while the connection of the record is paused or gone: this is its last known state. Left out by earlier builds. */
export const watchedRecord = { isWatched: z.boolean().optional() }

/** A note that people keep on a record. Plain text, not for secrets. */
export const RecordNote = z.object({
  text: z.string(),
  /** Name of the last writer. */
  by: z.string(),
  /** When it was last written. ISO 8601, UTC. */
  at: z.iso.datetime(),
})
export type RecordNote = z.infer<typeof RecordNote>

/** Changes the note of a record; an empty one removes it. */
export const ChangeNote = z.object({ note: optionalText(500) })
export type ChangeNote = z.infer<typeof ChangeNote>

/** Marks that Docket and people put on a record. Left out by earlier builds. */
export const recordMarks = {
  /** True until a later success or a person settles a bad end or an unknown outcome. */
  needsAttention: z.boolean().optional(),
  note: RecordNote.nullish(),
}

/** When a record was, and will be, read from the Admin API. All ISO 8601, UTC. */
export const checkTimes = {
  /** Last good answer; null before the first. */
  checkedAt: z.iso.datetime().nullable(),
  /** Next automatic read; null when Docket has stopped polling this record. */
  nextCheckAt: z.iso.datetime().nullable(),
}

/** A failed check in a list. `failedAt` of the page's checks is the time of the last failure. */
export const ListedCheckFailure = CheckFailure.omit({ at: true })

/** Fields of a listed record that every check changes, even if nothing else does. All ISO 8601, UTC. */
export const listedCheck = {
  ...checkTimes,
  /** When the last check failed; null after a good one. */
  failedAt: z.iso.datetime().nullable(),
}

/**
 * Upstream text that looks like an address. `href` is set only when it is safe to follow: https (or loopback http with the embedded
 * service), no userinfo, no control or bidi characters, an ASCII host.
 */
export const UpstreamLink = z.object({
  /** The text as the service sent it. */
  text: z.string(),
  /** Absolute; a path such as `/code/docs/pulls/1` is a page of Docket itself, which shows the embedded code host. */
  href: z.string().nullable(),
  /** Host of `href`, to be shown beside the link. Null for a page of Docket. */
  host: z.string().nullable(),
  /** Short name if the address is recognised, such as `owner/repository` or `owner/repository#12`. */
  label: z.string().nullable(),
})
export type UpstreamLink = z.infer<typeof UpstreamLink>
