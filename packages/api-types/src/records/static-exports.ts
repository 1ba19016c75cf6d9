import { z } from 'zod'
import { Artifact } from './artifacts.ts'
import { CheckFailure } from '#ground/api-error.ts'
import {
  checkTimes,
  createListCounts,
  listedCheck,
  ListedCheckFailure,
  ListQuery,
  recordConnection,
  recordMarks,
  removalTimes,
  UsualDuration,
  watchedRecord,
} from '#ground/list.ts'
import { typedLine } from '#ground/text.ts'
import { connectionChoice } from '#service/connections.ts'
import { UpstreamId } from './agent-jobs.ts'

/**
 * Docket's own state of an export, apart from the service's status: `starting` the intent is written, the call is under way · `accepted`
 * the service gave a jobId · `completed` · `failed` · `refused` nothing was started, as the service said or the connection proves ·
 * `unknown` it may have started, because no answer came or none that proves the contrary; a person decides what to do.
 */
export const StaticExportState = z.enum(['starting', 'accepted', 'completed', 'failed', 'refused', 'unknown'])
export type StaticExportState = z.infer<typeof StaticExportState>

/** Group of an export in the list. `active`: starting or accepted, and known to the service; `gone`: 404 before the end. */
export const StaticExportGroup = z.enum(['active', 'completed', 'failed', 'refused', 'unknown', 'gone'])
export type StaticExportGroup = z.infer<typeof StaticExportGroup>

/** Filters and order of the list of exports. `q` looks at domain, version, jobId and the service's status. */
export const StaticExportListQuery = ListQuery.extend({
  group: StaticExportGroup.optional(),
  /** In ASCII, as the list returns it. */
  domain: z.string().max(253).optional(),
  /** `true`: only exports with broken links or outside requests that are not accepted. */
  findings: z.stringbool().optional(),
  sort: z.enum(['newest', 'oldest', 'domain']).default('newest'),
})
export type StaticExportListQuery = z.infer<typeof StaticExportListQuery>

export const StaticExportCsvQuery = StaticExportListQuery.omit({ cursor: true, until: true, limit: true })
export type StaticExportCsvQuery = z.infer<typeof StaticExportCsvQuery>

/** Start a static export (Admin API §4.2). The same `requestId` always answers with the same export. */
export const StartStaticExport = z.object({
  /** The browser creates one per intent, so that a double click or a repeated request starts nothing twice. */
  requestId: z.uuid(),
  ...connectionChoice,
  /** A hostname. Scheme, userinfo, path, port, trailing dot and slash are stripped; IDN becomes punycode. */
  domain: z.string().trim().min(1).max(2000),
  /** Version label. Optional in the request; services that only speak the base contract ignore it. */
  version: typedLine(200).optional(),
  /** Page paths to export; every page when absent. */
  paths: z.array(typedLine(1000)).min(1).max(500).optional(),
  /** Set after the reader confirmed a second export of a domain that already has one starting, running or unknown. */
  confirmed: z.boolean().default(false),
  /** The `unknown` export that this one replaces ("start again"). */
  replaces: z.uuid().optional(),
})
export type StartStaticExport = z.input<typeof StartStaticExport>

/** Add an export that was started elsewhere by its job ID. Read once upstream before it is listed. */
export const ImportStaticExport = z.object({
  ...connectionChoice,
  jobId: UpstreamId,
  /** Domain it belongs to, as the reader knows it; the base contract does not report it. */
  domain: z.string().trim().min(1).max(2000),
})
export type ImportStaticExport = z.infer<typeof ImportStaticExport>

/** Assign a jobId, which a person found, to an `unknown` export. */
export const AttachJobId = z.object({ jobId: UpstreamId })
export type AttachJobId = z.infer<typeof AttachJobId>

/** One static export: the intent, the service's last answer (Admin API §2.3, §4.3), and Docket's interpretation. */
export const StaticExport = z.object({
  exportId: z.uuid(),
  ...recordConnection,
  /**
   * Docket's copy of the bundle. Null until the export completes; left out by earlier builds. It comes first, because scripts of pipelines
   * read `state` and `sha256` of the export where these words come last.
   */
  artifact: Artifact.nullish(),
  /** Hostname sent to the service, in ASCII (punycode). */
  domain: z.string(),
  /** Unicode form of the domain, when it differs. */
  domainUnicode: z.string().nullable(),
  version: z.string().nullable(),
  paths: z.array(z.string()).nullable(),
  state: StaticExportState,
  /** Identifier from the service; null until the service sends it. */
  jobId: z.string().nullable(),
  /** The service's own word (`queued`, `running`, anything); null when it sent none. */
  status: z.string().nullable(),
  /** True while Docket doesn't know the status, so the export may have ended: `treat-as` says what it means. */
  isUnrecognised: z.boolean().optional(),
  /** 0 to 100; null when the service sent nothing usable, so the bar is indeterminate. Never falls without a new `startedAt`. */
  progress: z.number().min(0).max(100).nullable(),
  /** Pages exported so far. */
  pageCount: z.int().nonnegative().nullable(),
  /** Recent speed from what Docket observed. Pages per second. */
  pagesPerSecond: z.number().nonnegative().nullable(),
  /** Usual duration of whole exports of this domain. */
  usual: UsualDuration.nullable(),
  /** When it will probably be complete, from this domain's own history or the observed progress. ISO 8601, UTC. */
  expectedAt: z.iso.datetime().nullable(),
  /** Reason of a failure or a refusal, as the service put it. Plain text. Exactly `cancelled` when a person cancelled it. */
  reason: z.string().nullable(),
  /** Time of the request in Docket. ISO 8601, UTC. */
  startedAt: z.iso.datetime(),
  /** Who started, added or uploaded it, as in its history. Null once that is deleted; left out by earlier builds, and in rows of sites. */
  startedBy: z.string().nullish(),
  /** When Docket saw it end. ISO 8601, UTC. */
  finishedAt: z.iso.datetime().nullable(),
  /** Time from start to end. Null while it is open, and when Docket never saw it run: the start itself may name the end. Milliseconds. */
  durationMs: z.number().nullish(),
  /** True when it was started elsewhere and imported by its jobId, or uploaded. */
  imported: z.boolean(),
  /** When Docket concluded that the service no longer knows it: at one 410, or at the third 404 within at least 30 s. ISO 8601, UTC. */
  goneAt: z.iso.datetime().nullable(),
  /** The export that replaced this `unknown` one. */
  replacedBy: z.uuid().nullable(),
  ...recordMarks,
  /** Bundle of a completed export; the link itself stays on the server. */
  bundle: z
    .object({
      sizeBytes: z.int().nonnegative().nullable(),
      /** SHA-256 in hex of the last download that passed through Docket completely. */
      sha256: z.string().nullable(),
      /** Name of the download without its ending: that comes from the bytes, so `prepare` and the download know it. */
      fileName: z.string(),
    })
    .nullable(),
  /** Actions of a person with the right role: null, or why not. Null where the service has no such call. Left out by earlier builds. */
  actions: z.object({ cancel: z.string().nullable() }).nullish(),
  ...watchedRecord,
  ...removalTimes,
  ...checkTimes,
  /** The last read when it failed; null after a good one. */
  checkFailure: CheckFailure.nullable(),
})
export type StaticExport = z.infer<typeof StaticExport>

/** Answer of a start or import: the export, and sentences about parts removed from the domain. */
export const StartedStaticExport = z.object({
  export: StaticExport,
  /** Sentences such as "Removed https:// and the path /guide."; empty when nothing was changed. */
  domainNotes: z.array(z.string()),
})
export type StartedStaticExport = z.infer<typeof StartedStaticExport>

/** One export in a list, without what every check changes: `StaticExportChecks` has that. */
export const StaticExportItem = StaticExport.omit({ checkedAt: true, nextCheckAt: true, expectedAt: true }).extend({
  checkFailure: ListedCheckFailure.nullable(),
})
export type StaticExportItem = z.infer<typeof StaticExportItem>

/** Check times of the exports on a page of the list, in its order. */
export const StaticExportChecks = z.object({
  checks: z.array(z.object({ ...StaticExport.pick({ exportId: true, expectedAt: true }).shape, ...listedCheck })),
})
export type StaticExportChecks = z.infer<typeof StaticExportChecks>

export const StaticExportList = z.object({
  items: z.array(StaticExportItem),
  nextCursor: z.string().nullable(),
  counts: createListCounts(StaticExportGroup),
})
export type StaticExportList = z.infer<typeof StaticExportList>

/** Values the list of exports can be filtered by, to be suggested; at most 100, alphabetical. */
export const StaticExportFilters = z.object({ domains: z.array(z.string()) })
export type StaticExportFilters = z.infer<typeof StaticExportFilters>
