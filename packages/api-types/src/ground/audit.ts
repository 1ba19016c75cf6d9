import { z } from 'zod'
import { instant, ListQuery } from './list.ts'
import { typedLine } from './text.ts'

/** `ok` it was done · `refused` it was not allowed · `failed` it was tried and did not succeed. */
export const AuditOutcome = z.enum(['ok', 'refused', 'failed'])
export type AuditOutcome = z.infer<typeof AuditOutcome>

/** Closed list of audited actions: target and verb. */
export const AuditAction = z.enum([
  'static_export.started',
  'static_export.imported',
  'static_export.attached',
  'static_export.checked',
  'static_export.cancelled',
  'static_export.removed',
  'static_export.restored',
  'static_export.dismissed',
  'static_export.dismissal_undone',
  /** `details.characters` is the new length. */
  'static_export.note_changed',
  'bundle.prepared',
  'bundle.link_minted',
  'bundle.downloaded',
  /** A stored bundle was opened in a browser; `details.page` is the first page. */
  'preview.opened',
  /** Somebody asked Docket to store it. */
  'bundle.store_requested',
  /** Docket's copy was deleted. */
  'bundle.deleted',
  /** Retention leaves Docket's copy alone. */
  'bundle.kept',
  'bundle.released',
  /** What an admin decided about bundles in the store that the database did not know; `details` has how many orphans were removed. */
  'store.adopted',
  'store.left',
  'store.orphans_removed',
  /** A bundle was uploaded by hand, for an export that Docket never saw. */
  'static_export.uploaded',
  /** For all bundles of the site; `details` has the rule, what it is about, and the reason. */
  'finding.accepted',
  'finding.acceptance_withdrawn',
  'site.changed',
  /** The exports of another site feed it; `details.joined` names that site. */
  'site.joined',
  'site.separated',
  'channel.added',
  /** `details` has what changed. */
  'channel.changed',
  'channel.removed',
  'channel.pinned',
  'channel.unpinned',
  /** The channel shows another bundle; `details` has its sum, the gate, the reason of an override, and the note. */
  'release.promoted',
  'release.rolled_back',
  /** A rule of the channel moved it. */
  'release.followed',
  'proposal.made',
  'proposal.withdrawn',
  'proposal.approved',
  'proposal.approval_withdrawn',
  'site_grant.added',
  'site_grant.removed',
  /** Somebody opened a hosted channel that asks for a sign-in. */
  'hosted_site.opened',
  'target.added',
  'target.changed',
  'target.removed',
  'target.tested',
  'delivery.requested',
  'delivery.done',
  'delivery.failed',
  'delivery.taken_back',
  'delivery.verified',
  /** A prompt to create a job was sent; `details.characters` is its length. */
  'agent_job.requested',
  /** The effect of a maintenance order was counted; `details.maintenance` is its action. */
  'maintenance.previewed',
  /** The service created it. */
  'agent_job.created',
  'agent_job.attached',
  /** A request without an answer was taken off the list. */
  'agent_job.request_forgotten',
  'agent_job.request_restored',
  'agent_job.message_sent',
  'agent_job.followed',
  'agent_job.checked',
  'agent_job.removed',
  'agent_job.restored',
  'agent_job.dismissed',
  'agent_job.dismissal_undone',
  /** `details.characters` is the new length. */
  'agent_job.note_changed',
  'agent_job.archived',
  'agent_job.cancelled',
  /** Its latest prompt was sent again; `details.characters` is its length. */
  'agent_job.retried',
  /** `details.state` is what the person said; `not known` takes it back. */
  'agent_job.pull_request_marked',
  'pull_request.merged',
  'pull_request.closed',
  'pull_request.reopened',
  'pull_request.branch_deleted',
  /** The main branch was written into the folder of a project; `details.main` is its commit. */
  'code_host.folder_updated',
  /** The embedded code host was opened with a pass to make changes there. */
  'code_host.opened',
  'session.signed_in',
  'session.signed_out',
  'session.revoked',
  'user.created',
  'user.changed_role',
  'user.renamed',
  'user.disabled',
  'user.enabled',
  'user.deleted',
  'user.prompts_allowed',
  'user.prompts_refused',
  'user.password_changed',
  'user.password_link_created',
  'user.second_factor_added',
  'user.second_factor_removed',
  'user.passkey_added',
  'user.passkey_removed',
  'saved_view.created',
  'saved_view.changed',
  'saved_view.deleted',
  /** `details.characters` is the length of its text. */
  'saved_prompt.created',
  'saved_prompt.changed',
  'saved_prompt.deleted',
  /** It was filled in and sent; `details.projects` is for how many projects. */
  'saved_prompt.run',
  'invitation.created',
  'invitation.revoked',
  'connection.added',
  'connection.changed',
  'connection.paused',
  'connection.resumed',
  'connection.removed',
  /** A key was tested. */
  'connection.key_checked',
  'connection.records_moved',
  /** A token for a code host; `details.address` names it. */
  'connection.code_host_added',
  'connection.code_host_token_replaced',
  'connection.code_host_removed',
  'connection.code_host_tested',
  'project.named',
  'grant.added',
  'grant.removed',
  /** A long pause that the service asked for was ended; `details.calls` names the calls. */
  'connection.pause_ended',
  'api_token.created',
  'api_token.revoked',
  /** An admin became its owner. */
  'api_token.handed_over',
  /** A scheduled backup; `details` has its size, or the reason of a failure. */
  'backup.made',
  /** Somebody asked for one. */
  'backup.requested',
  /** Retention removed it. */
  'backup.removed',
  'audit.exported',
  /** The retention deleted the oldest rows; `details` has how many, and the last one's id and hash. */
  'audit.purged',
  /** A refused request; `details.route` names it. */
  'request.refused',
])
export type AuditAction = z.infer<typeof AuditAction>

/** Kind of actor: a person, an API token, an unauthenticated caller, or Docket itself. */
export const ActorKind = z.enum(['person', 'token', 'nobody', 'docket'])
export type ActorKind = z.infer<typeof ActorKind>

/** One action, successful or refused. */
export const AuditEvent = z.object({
  auditId: z.int(),
  /** ISO 8601, UTC. */
  at: z.iso.datetime(),
  actor: z.object({ kind: ActorKind, id: z.string().nullable(), name: z.string() }),
  /** Address of the network it came from; null for what Docket did by itself. */
  address: z.string().nullable(),
  requestId: z.string().nullable(),
  action: AuditAction,
  outcome: AuditOutcome,
  target: z.object({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() }).nullable(),
  /** Facts of the action, without secrets. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** SHA-256 over the hash of the row before and this row, in hex. Null for the few seconds until it is sealed. */
  hash: z.string().nullable(),
})
export type AuditEvent = z.infer<typeof AuditEvent>

/**
 * Answer of the service to an audited command: `done` it took the command · `refused` it did not · `unavailable` it did not answer, so nothing
 * happened · `unknown` its answer was lost · `pending` Docket waits for it.
 */
export const ServiceAnswer = z.enum(['done', 'refused', 'unavailable', 'unknown', 'pending'])
export type ServiceAnswer = z.infer<typeof ServiceAnswer>

/**
 * An event with the service's `answer`, read from the record that the event is about. Not part of the sealed row. Null for an event that
 * asked nothing of the service, and once its record is deleted.
 */
export const ListedAuditEvent = AuditEvent.extend({ answer: ServiceAnswer.nullish() })
export type ListedAuditEvent = z.infer<typeof ListedAuditEvent>

/** Outcome to filter by: that of the event, or the service's answer to it. */
export const AuditResult = z.enum([...AuditOutcome.options, 'refused_by_service', 'unavailable', 'unknown', 'pending'])
export type AuditResult = z.infer<typeof AuditResult>

/** Filters of the audit, newest first. `q` looks at names, addresses, actions and targets. */
export const AuditQuery = ListQuery.pick({ cursor: true, limit: true, q: true }).extend({
  action: AuditAction.optional(),
  outcome: AuditResult.optional(),
  /** userId or tokenId. */
  actorId: typedLine(200).optional(),
  /** Events at or after this time. ISO 8601. */
  from: instant.optional(),
  /** Events before this time. ISO 8601. */
  to: instant.optional(),
})
export type AuditQuery = z.infer<typeof AuditQuery>

/** Filters and format of an audit export. */
export const AuditExportQuery = AuditQuery.omit({ cursor: true, limit: true }).extend({
  format: z.enum(['csv', 'jsonl']),
})

/** A page of the audit. */
export const AuditList = z.object({ items: z.array(ListedAuditEvent), nextCursor: z.string().nullable() })
export type AuditList = z.infer<typeof AuditList>

/** The next step of verifying the chain; the first one has no cursor. */
export const AuditVerificationQuery = z.object({ cursor: z.string().optional() })

/** A row of the audit by its id, and when it was written; null for a row that is not there. */
const place = z.object({ auditId: z.int(), at: z.iso.datetime().nullable() })

/**
 * One step of verifying the audit's hash chain, oldest row first. Repeat with `nextCursor` until it is null. `changed`: a row does not
 * fit its hash and the hash before it · `removed`: a hash has no row · `inserted`: a row has no hash.
 */
export const AuditVerification = z.object({
  /** Rows that this step found whole. */
  rows: z.int().nonnegative(),
  /**
   * The last deletion by the retention, after which the chain begins: through which id, how many rows, and when. Null if there was none.
   */
  purged: z.object({ throughId: z.int(), rows: z.int(), at: z.iso.datetime() }).nullable(),
  /** The last row up to which everything is whole, and its hash. Null while nothing is sealed. */
  through: place.extend({ hash: z.string() }).nullable(),
  /** The first row that breaks the chain. */
  broken: place.extend({ problem: z.enum(['changed', 'removed', 'inserted']) }).nullable(),
  /** Rows that are not sealed yet. Null until the last step. */
  unsealed: z.object({ rows: z.int().nonnegative(), oldestAt: z.iso.datetime().nullable() }).nullable(),
  nextCursor: z.string().nullable(),
})
export type AuditVerification = z.infer<typeof AuditVerification>
