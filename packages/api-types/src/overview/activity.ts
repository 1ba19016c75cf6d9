import { z } from 'zod'
import { AgentJobMeaning } from '#records/agent-jobs.ts'
import { ConnectionQuery } from '#service/connections.ts'
import { Ending, RecordKey } from '#service/history.ts'
import { recordConnection } from '#ground/list.ts'
import { StaticExportState } from '#records/static-exports.ts'

export const ActivityQuery = ConnectionQuery.extend({
  /** Only endings before this one: `nextBefore` of the previous page. */
  before: z.coerce.number<number>().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
})

/** Running and recently ended records, for every page of the web app and for notifications. */
export const Activity = z.object({
  /** Running exports and working jobs, the newest first, at most ten. */
  running: z.array(
    z.object({
      key: RecordKey,
      /** Domain of an export; repository label or id of a job. */
      title: z.string(),
      ...recordConnection,
      state: z.union([StaticExportState, AgentJobMeaning]),
      /** The service's own word. */
      status: z.string().nullable(),
      /** 0 to 100, of exports. */
      progress: z.number().min(0).max(100).nullable(),
      /** Since when Docket knows it. ISO 8601, UTC. */
      since: z.iso.datetime(),
    }),
  ),
  /** Totals, beyond the ten listed. */
  counts: z.object({ staticExports: z.int(), agentJobs: z.int() }),
  /** The latest endings, newest first, at most twenty. `eventId` grows, so a reader knows which are new. */
  endings: z.array(
    z.object({
      eventId: z.int(),
      at: z.iso.datetime(),
      key: RecordKey,
      title: z.string(),
      ...recordConnection,
      ending: Ending,
    }),
  ),
  /** `before` of the next, earlier page of endings, which may be empty; null at their end. */
  nextBefore: z.int().nullish(),
})
export type Activity = z.infer<typeof Activity>
