import { z } from 'zod'
import { recordConnection } from '#ground/list.ts'

export const RecordKey = z.discriminatedUnion('type', [
  z.object({ type: z.literal('static_export'), exportId: z.uuid() }),
  z.object({ type: z.literal('agent_job'), ...recordConnection, projectId: z.string(), id: z.string() }),
])
export type RecordKey = z.infer<typeof RecordKey>

/** Outcome of an export or agent job, for notifications. */
export const Ending = z.enum([
  'completed',
  'failed',
  'refused',
  'answer_lost',
  'pull_request_ready',
  'no_pull_request',
  'gone',
])
export type Ending = z.infer<typeof Ending>

/**
 * Kind of a history event. Observed by Docket: `accepted` the service gave a jobId · `status_changed` the service's own word ·
 * `progressed` past 25, 50 or 75 per cent · `completed` · `failed` · `refused` · `answer_lost` · `pull_request_reported` ·
 * `no_pull_request` completed, and none reported an hour later · `active_again` a finished job went on · `begun` a waiting job works now
 * · `cancelled` · `action_failed` a requested cancellation or archiving, `to` is the reason · `pull_request_merged`, `pull_request_closed`, `pull_request_reopened` · `archived` · `gone` and `back` (404 and no
 * longer) · `changed` another field · `bundle_stored` · `bundle_not_stored`, `to` says why · `bundle_deleted`, by a person or retention · `not_observed` a gap from `at` to `until`, `to` says why. Done by a person:
 * `requested` · `imported` · `followed` · `created` an agent job · `message_sent` to one, `to` is its length in characters · `attached`
 * · `started_again` · `checked` · `bundle_prepared` · `downloaded` · `link_copied` · `uploaded` by hand · `dismissed`, the record no longer needs
 * attention · `dismissal_undone` · `note_changed` · `retried`, `to` is the length of the prompt · `cancel_requested` · `archive_requested` · `treated_as`, `from` is the status ·
 * `pull_request_marked`, `to` is the state or null · `removed` · `restored`.
 */
export const HistoryKind = z.enum([
  'accepted',
  'status_changed',
  'progressed',
  'completed',
  'failed',
  'refused',
  'answer_lost',
  'pull_request_reported',
  'no_pull_request',
  'active_again',
  'begun',
  'cancelled',
  'pull_request_merged',
  'pull_request_closed',
  'pull_request_reopened',
  'archived',
  'gone',
  'back',
  'changed',
  'not_observed',
  'requested',
  'imported',
  'followed',
  'created',
  'message_sent',
  'attached',
  'started_again',
  'checked',
  'bundle_prepared',
  'downloaded',
  'link_copied',
  'uploaded',
  'bundle_stored',
  'bundle_not_stored',
  'bundle_deleted',
  'dismissed',
  'dismissal_undone',
  'note_changed',
  'retried',
  'cancel_requested',
  'archive_requested',
  'treated_as',
  'action_failed',
  'pull_request_marked',
  'removed',
  'restored',
])
export type HistoryKind = z.infer<typeof HistoryKind>

/** One thing that happened to a record. Texts from upstream are untrusted and plain. */
export const HistoryEvent = z.object({
  eventId: z.int(),
  kind: HistoryKind,
  /** When Docket saw it, or a person did it. ISO 8601, UTC. */
  at: z.iso.datetime(),
  /** End of a `not_observed` gap. ISO 8601, UTC. */
  until: z.iso.datetime().nullable(),
  /** Name of the field of a `changed`. */
  field: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Name of the actor; null for observations of Docket. */
  by: z.string().nullable(),
})
export type HistoryEvent = z.infer<typeof HistoryEvent>

/** The history of one record, oldest first: the latest 200 events. */
export const History = z.object({
  events: z.array(HistoryEvent),
  /** True when older events exist or existed, and are not shown. */
  truncated: z.boolean(),
  /** Events are deleted after this many days. */
  retentionDays: z.int().positive(),
})
export type History = z.infer<typeof History>
