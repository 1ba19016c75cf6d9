import { z } from 'zod'

/**
 * State of Docket's copy of a bundle: `storing` it is being stored · `stored` the bytes are Docket's own · `not_stored` `reason` says why,
 * and the bundle is still at the service, if anywhere.
 */
export const ArtifactState = z.enum(['storing', 'stored', 'not_stored'])
export type ArtifactState = z.infer<typeof ArtifactState>

/**
 * Why there is no copy: `not_asked` completed before Docket stored bundles · `off` switched off · `not_shared` several replicas without a
 * store they share · `disk_full` · `no_bundle` the service has none any more · `too_large` · `not_an_archive` · `refused` the archive is
 * unsafe or beyond a bound, `detail` says which · `failed` the fetch or the store, `detail` says how · `retention` deleted as the oldest ·
 * `deleted` by a person · `not_restored` the backup did not include the bytes.
 */
export const NotStoredReason = z.enum([
  'not_asked',
  'off',
  'not_shared',
  'disk_full',
  'no_bundle',
  'too_large',
  'not_an_archive',
  'refused',
  'failed',
  'retention',
  'deleted',
  'not_restored',
])
export type NotStoredReason = z.infer<typeof NotStoredReason>

/** Step of storing a bundle: `fetching`, `reading` files, `checking` pages, `comparing` with the one before, `writing` to the store. */
export const StoringPhase = z.enum(['fetching', 'reading', 'checking', 'comparing', 'writing'])
export type StoringPhase = z.infer<typeof StoringPhase>

/** Level of a finding: `breaks` a reader meets an error · `leaks` the page asks another host when it is opened · `notes` worth knowing. */
export const FindingLevel = z.enum(['breaks', 'leaks', 'notes'])
export type FindingLevel = z.infer<typeof FindingLevel>

/** Findings by level, each cause counted once. Accepted ones are not counted. */
export const FindingCounts = z.object({
  breaks: z.int().nonnegative(),
  leaks: z.int().nonnegative(),
  notes: z.int().nonnegative(),
})
export type FindingCounts = z.infer<typeof FindingCounts>

/** Result of the check of an artifact. `not_finished`: the check was stopped for the reason in `detail`; its findings are incomplete. */
export const ArtifactCheck = z.object({
  state: z.enum(['finished', 'not_finished']),
  detail: z.string().nullable(),
  findings: FindingCounts,
  /** Those of `findings` that the previous artifact did not have. Null if there is no previous one. */
  added: FindingCounts.nullable(),
})
export type ArtifactCheck = z.infer<typeof ArtifactCheck>

/** Number of pages that differ from another artifact of the site. */
export const ChangeCounts = z.object({
  added: z.int().nonnegative(),
  removed: z.int().nonnegative(),
  changed: z.int().nonnegative(),
  moved: z.int().nonnegative(),
})
export type ChangeCounts = z.infer<typeof ChangeCounts>

/** Docket's own copy of a bundle, and what is known of it. */
export const Artifact = z.object({
  state: ArtifactState,
  /** Null unless `not_stored`. */
  reason: NotStoredReason.nullable(),
  /** A sentence that explains `reason` in this case. Plain text. */
  detail: z.string().nullable(),
  /** Null unless `storing`. Bytes or pages, by phase; `total` is null when unknown. */
  progress: z
    .object({ phase: StoringPhase, done: z.int().nonnegative(), total: z.int().nonnegative().nullable() })
    .nullable(),
  /** SHA-256 of the bundle, lower-case hexadecimal. */
  sha256: z.string().nullable(),
  /** Bytes of the bundle. */
  sizeBytes: z.int().nonnegative().nullable(),
  /** Bytes of all files in it. */
  contentBytes: z.int().nonnegative().nullable(),
  files: z.int().nonnegative().nullable(),
  /** Pages that readers look for, as `ArtifactPages` lists them. */
  pages: z.int().nonnegative().nullable(),
  storedAt: z.iso.datetime().nullable(),
  /** Retention leaves it alone. */
  kept: z.boolean(),
  /** Docket made it of an uploaded archive: addresses are relative, and requests to other hosts are cut. */
  madePortable: z.boolean().optional(),
  /** A channel of its site shows it, so everyone who may see the export may download it. */
  isLive: z.boolean().optional(),
  /** There is a picture of its first page. */
  hasPicture: z.boolean().optional(),
  /** When retention will delete it, as far as known. ISO 8601, UTC. */
  deletedAfter: z.iso.datetime().nullable(),
  check: ArtifactCheck.nullable(),
  /** Comparison with the previous artifact. Null if there is none, and while unknown. */
  change: z.object({ against: z.uuid(), ...ChangeCounts.shape }).nullable(),
})
export type Artifact = z.infer<typeof Artifact>

const PartQuery = z.object({
  q: z.string().trim().max(200).optional(),
  /** Entries to skip; `next` of the previous part. */
  skip: z.coerce.number<number>().int().min(0).max(1_000_000).default(0),
  limit: z.coerce.number<number>().int().min(1).max(500).default(200),
})

/** Query for pages or files. `under`: only below this folder, such as `guide/`. */
export const ArtifactPartsQuery = PartQuery.extend({ under: z.string().max(1000).optional() })
export type ArtifactPartsQuery = z.infer<typeof ArtifactPartsQuery>

/** Pages of an artifact by address, without redirects and the 404 page. */
export const ArtifactPages = z.object({
  pages: z.array(
    z.object({
      /** Address within the site, such as `/guide/`. */
      address: z.string(),
      /** Path of its file in the archive. */
      path: z.string(),
      title: z.string(),
      sizeBytes: z.int().nonnegative(),
      /** Findings on this page that are not accepted. */
      findings: FindingCounts,
      change: z.enum(['added', 'changed', 'moved']).nullable(),
    }),
  ),
  /** Matches of the query. */
  total: z.int().nonnegative(),
  /** `skip` of the next part; null at the end. */
  next: z.int().nullable(),
})
export type ArtifactPages = z.infer<typeof ArtifactPages>

export const ArtifactFiles = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      sizeBytes: z.int().nonnegative(),
      /** SHA-256, lower-case hexadecimal. */
      sha256: z.string(),
      /** Media type by its name. */
      type: z.string(),
    }),
  ),
  total: z.int().nonnegative(),
  next: z.int().nullable(),
})
export type ArtifactFiles = z.infer<typeof ArtifactFiles>

/** State of a finding compared with the previous artifact. `gone`: only the previous one has it. */
export const FindingState = z.enum(['new', 'same', 'gone'])
export type FindingState = z.infer<typeof FindingState>

export const FindingsQuery = PartQuery.extend({
  level: FindingLevel.optional(),
  /** One rule, such as `missing-page`. */
  rule: z.string().max(100).optional(),
  state: FindingState.optional(),
  /** `true`: only accepted ones; `false`: only others. */
  accepted: z.stringbool().optional(),
  /** Only findings with a place on this page. An address within the site. */
  page: z.string().max(4000).optional(),
})
export type FindingsQuery = z.infer<typeof FindingsQuery>

/** One cause with all its places: "one font on 412 pages". */
export const Finding = z.object({
  /** Names the same cause in every artifact of a site. Lower-case hexadecimal. */
  fingerprint: z.string(),
  level: FindingLevel,
  /** Name of the rule, such as `missing-page`. */
  rule: z.string(),
  /** The cause in a sentence. Plain text; untrusted parts included. */
  sentence: z.string(),
  /** Address, file or host that the finding concerns. */
  target: z.string().nullable(),
  /** The first 50 places. */
  places: z.array(
    z.object({
      /** Address of the page within the site; null for a file that is no page. */
      page: z.string().nullable(),
      /** Path of the file in the archive. */
      path: z.string(),
      /** The markup concerned, shortened; null if there is none. */
      excerpt: z.string().nullable(),
      line: z.int().positive().nullable(),
    }),
  ),
  /** Number of places. */
  total: z.int().positive(),
  /** `check` of the files, a `preview` in a browser, or the service's own `report` in the bundle. */
  seenBy: z.enum(['check', 'preview', 'report']),
  state: FindingState.nullable(),
  accepted: z.object({ reason: z.string(), by: z.string(), at: z.iso.datetime() }).nullable(),
})
export type Finding = z.infer<typeof Finding>

/** Findings of an artifact: worst first, then those with the most places. */
export const Findings = z.object({
  findings: z.array(Finding),
  total: z.int().nonnegative(),
  next: z.int().nullable(),
  /** Causes by level, state and rule under the other filters. */
  counts: z.object({
    levels: FindingCounts,
    states: z.object({ new: z.int(), same: z.int(), gone: z.int() }),
    accepted: z.int(),
    rules: z.array(z.object({ rule: z.string(), level: FindingLevel, count: z.int() })),
  }),
  check: ArtifactCheck,
})
export type Findings = z.infer<typeof Findings>

/** Accepts a cause for all artifacts of the site. */
export const AcceptFinding = z.object({ reason: z.string().trim().min(1).max(500) })
export type AcceptFinding = z.infer<typeof AcceptFinding>

/** File of an artifact to send. `path` is as in the list of files. */
export const ArtifactFileQuery = z.object({ path: z.string().min(1).max(4000) })
export type ArtifactFileQuery = z.infer<typeof ArtifactFileQuery>

/** Description of a bundle that is uploaded by hand; the request's body is its raw bytes. */
export const UploadBundleQuery = z.object({
  connection: z.uuid().optional(),
  /** Domain it belongs to. A hostname. */
  domain: z.string().trim().min(1).max(2000),
  version: z.string().trim().max(200).optional(),
  /** Identifies the upload: a repeated request with the same id returns the same export. */
  requestId: z.uuid().optional(),
  /** `true`: the archive is a built site, and Docket stores a portable bundle that it makes of it. Otherwise the bytes are stored as they are. */
  portable: z.stringbool().optional(),
})
export type UploadBundleQuery = z.infer<typeof UploadBundleQuery>
