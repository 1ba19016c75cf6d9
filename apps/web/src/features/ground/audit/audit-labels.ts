import type { AuditAction, AuditResult, ListedAuditEvent } from '@docket/api-types/audit'
import { isolate } from '#lib/text/bidi.ts'
import { describeChannelChange } from './channel-change.ts'

/** Label of each action. */
export const actionLabels: Readonly<Record<AuditAction, string>> = {
  'static_export.started': 'Asked to start an export',
  'static_export.imported': 'Tracked an export',
  'static_export.attached': 'Attached a job ID to an export',
  'static_export.checked': 'Checked an export',
  'static_export.cancelled': 'Asked to cancel an export',
  'static_export.removed': 'Removed an export',
  'static_export.restored': 'Restored an export',
  'static_export.dismissed': 'Dismissed an export',
  'static_export.dismissal_undone': 'Undid the dismissal of an export',
  'static_export.note_changed': 'Changed the note on an export',
  'bundle.prepared': 'Prepared a bundle',
  'bundle.link_minted': 'Copied a download link',
  'bundle.downloaded': 'Downloaded a bundle',
  'preview.opened': 'Opened a preview',
  'bundle.store_requested': 'Asked to store a bundle',
  'bundle.deleted': 'Deleted the stored bundle',
  'bundle.kept': 'Kept the stored bundle',
  'bundle.released': 'Stopped keeping the stored bundle',
  'store.adopted': 'Let Docket adopt the bundles in the store',
  'store.left': 'Left unknown bundles in the store alone',
  'store.orphans_removed': 'Removed orphans from the store',
  'static_export.uploaded': 'Uploaded a bundle',
  'finding.accepted': 'Accepted a finding',
  'finding.acceptance_withdrawn': 'Withdrew the acceptance of a finding',
  'site.changed': 'Changed a site',
  'site.joined': 'Joined another site into a site',
  'site.separated': 'Separated a site again',
  'channel.added': 'Added a channel',
  'channel.changed': 'Changed a channel',
  'channel.removed': 'Removed a channel',
  'channel.pinned': 'Pinned a channel',
  'channel.unpinned': 'Unpinned a channel',
  'release.promoted': 'Promoted a bundle',
  'release.rolled_back': 'Rolled a channel back',
  'release.followed': 'A channel followed an export',
  'proposal.made': 'Asked for approvals',
  'proposal.withdrawn': 'Withdrew a request for approvals',
  'proposal.approved': 'Approved a request',
  'proposal.approval_withdrawn': 'Withdrew an approval',
  'site_grant.added': 'Granted a role on a site',
  'site_grant.removed': 'Removed a role on a site',
  'hosted_site.opened': 'Opened a hosted site',
  'target.added': 'Added a target',
  'target.changed': 'Changed a target',
  'target.removed': 'Removed a target',
  'target.tested': 'Tested a target',
  'delivery.requested': 'Asked to deliver a bundle',
  'delivery.done': 'Delivered a bundle',
  'delivery.failed': 'Could not deliver a bundle',
  'delivery.taken_back': 'Took a delivery back',
  'delivery.verified': 'Verified a delivery',
  'agent_job.requested': 'Asked to create an agent job',
  'maintenance.previewed': 'Previewed maintenance',
  'agent_job.created': 'Created an agent job',
  'agent_job.attached': 'Attached an agent job to a request',
  'agent_job.request_forgotten': 'Removed a request for an agent job',
  'agent_job.request_restored': 'Restored a request for an agent job',
  'agent_job.message_sent': 'Asked to send a follow-up',
  'agent_job.followed': 'Started following an agent job',
  'agent_job.checked': 'Checked an agent job',
  'agent_job.removed': 'Removed an agent job',
  'agent_job.restored': 'Restored an agent job',
  'agent_job.dismissed': 'Dismissed an agent job',
  'agent_job.dismissal_undone': 'Undid the dismissal of an agent job',
  'agent_job.note_changed': 'Changed the note on an agent job',
  'agent_job.archived': 'Archived an agent job',
  'agent_job.cancelled': 'Asked to cancel an agent job',
  'agent_job.retried': 'Asked to retry an agent job',
  'agent_job.pull_request_marked': 'Marked the pull request of an agent job',
  'pull_request.merged': 'Merged a pull request',
  'pull_request.closed': 'Closed a pull request',
  'pull_request.reopened': 'Reopened a pull request',
  'pull_request.branch_deleted': 'Deleted the branch of a pull request',
  'code_host.folder_updated': 'Updated the folder of a project',
  'code_host.opened': 'Opened the code host',
  'session.signed_in': 'Signed in',
  'session.signed_out': 'Signed out',
  'session.revoked': 'Ended a session',
  'user.created': 'Created an account',
  'user.changed_role': 'Changed a role',
  'user.renamed': 'Changed a name',
  'user.disabled': 'Disabled an account',
  'user.enabled': 'Enabled an account',
  'user.deleted': 'Deleted an account',
  'user.prompts_allowed': 'Allowed prompts to agents',
  'user.prompts_refused': 'Stopped allowing prompts to agents',
  'user.password_changed': 'Changed a password',
  'user.password_link_created': 'Created a password link',
  'user.second_factor_added': 'Added a second factor',
  'user.second_factor_removed': 'Removed a second factor',
  'user.passkey_added': 'Added a passkey',
  'user.passkey_removed': 'Removed a passkey',
  'saved_view.created': 'Saved a view',
  'saved_view.changed': 'Changed a view',
  'saved_view.deleted': 'Deleted a view',
  'saved_prompt.created': 'Saved a prompt',
  'saved_prompt.changed': 'Changed a saved prompt',
  'saved_prompt.deleted': 'Deleted a saved prompt',
  'saved_prompt.run': 'Ran a saved prompt',
  'invitation.created': 'Invited someone',
  'invitation.revoked': 'Withdrew an invitation',
  'connection.pause_ended': 'Resumed calls to the service',
  'api_token.created': 'Created an API token',
  'api_token.revoked': 'Revoked an API token',
  'api_token.handed_over': 'Became the owner of an API token',
  'connection.added': 'Added a connection',
  'connection.changed': 'Changed a connection',
  'connection.paused': 'Paused a connection',
  'connection.resumed': 'Resumed a connection',
  'connection.removed': 'Removed a connection',
  'connection.key_checked': 'Tested a connection’s key',
  'connection.records_moved': 'Moved records to a connection',
  'connection.code_host_added': 'Added a code host to a connection',
  'connection.code_host_token_replaced': 'Replaced the token of a code host',
  'connection.code_host_removed': 'Removed a code host from a connection',
  'connection.code_host_tested': 'Tested the token of a code host',
  'project.named': 'Named a project',
  'grant.added': 'Granted a role',
  'grant.removed': 'Removed a role',
  'backup.made': 'Made a backup',
  'backup.requested': 'Asked for a backup',
  'backup.removed': 'Removed an old backup',
  'audit.exported': 'Exported the audit',
  'audit.purged': 'Deleted old audit rows',
  'request.refused': 'Request denied',
}

const joins: Readonly<Partial<Record<AuditAction, string>>> = {
  'static_export.started': ' of',
  'static_export.imported': ' of',
  'static_export.attached': ' of',
  'static_export.checked': ' of',
  'static_export.cancelled': ' of',
  'static_export.removed': ' of',
  'static_export.restored': ' of',
  'bundle.prepared': ' of',
  'bundle.link_minted': ' for',
  'bundle.downloaded': ' of',
  'preview.opened': ' of',
  'bundle.store_requested': ' of',
  'bundle.deleted': ' of',
  'bundle.kept': ' of',
  'bundle.released': ' of',
  'static_export.uploaded': ' of',
  'finding.accepted': ' of',
  'finding.acceptance_withdrawn': ' of',
  'release.promoted': ' to',
  'proposal.approved': ' for',
  'site_grant.added': ' to',
  'site_grant.removed': ' of',
  'delivery.requested': ' to',
  'delivery.done': ' to',
  'delivery.failed': ' to',
  'delivery.taken_back': ' from',
  'delivery.verified': ' to',
  'agent_job.requested': ' in',
  'maintenance.previewed': ' in',
  'agent_job.request_forgotten': ' in',
  'agent_job.request_restored': ' in',
  'agent_job.message_sent': ' to',
  'session.revoked': ' of',
  'user.created': ' for',
  'user.changed_role': ' of',
  'user.prompts_allowed': ' by',
  'user.prompts_refused': ' by',
  'user.password_changed': ' of',
  'user.password_link_created': ' for',
  'user.second_factor_added': ' for',
  'user.second_factor_removed': ' of',
  'user.passkey_added': ' for',
  'user.passkey_removed': ' of',
  'session.signed_in': ' as',
}

/** The action, or the attempt. Ends with the word before the name of its target, if it is `named`. */
export const describeAction = ({ action, outcome }: Pick<ListedAuditEvent, 'action' | 'outcome'>, named: boolean) => {
  const tried = action === 'session.signed_in' && outcome !== 'ok'
  if (action === 'backup.made' && outcome !== 'ok') return 'Tried to make a backup'
  return (tried ? 'Tried to sign in' : actionLabels[action]) + (named ? (joins[action] ?? ':') : '')
}

/** Label of each outcome. */
export const resultLabels: Readonly<Record<AuditResult, string>> = {
  ok: 'Done',
  refused: 'Denied',
  failed: 'Failed',
  refused_by_service: 'Refused by the service',
  unavailable: 'Service unavailable',
  unknown: 'Unknown',
  pending: 'Waiting for the service',
}

const answers = { done: 'ok', refused: 'refused_by_service' } as const

const commands: readonly AuditAction[] = [
  'static_export.started',
  'agent_job.requested',
  'agent_job.message_sent',
  'agent_job.retried',
]

/** Outcome of an event. Null for a command whose record is deleted, or when this server does not tell. */
export const readResult = ({ action, outcome, answer }: ListedAuditEvent): AuditResult | null => {
  if (outcome !== 'ok' || !commands.includes(action)) return outcome
  if (!answer) return null
  return answer === 'done' || answer === 'refused' ? answers[answer] : answer
}

const splitName = (name: string) =>
  name
    .replaceAll(/([A-Z])/g, ' $1')
    .replaceAll('_', ' ')
    .toLowerCase()

/** Details of an event in one line; `''` without any. */
export const formatDetails = ({ action, details }: Pick<ListedAuditEvent, 'action' | 'details'>): string =>
  Object.entries(action === 'channel.changed' ? describeChannelChange(details) : details)
    .filter(([, value]) => value !== null && value !== false)
    .map(([name, value]) => (value === true ? splitName(name) : `${splitName(name)}: ${isolate(String(value))}`))
    .join(' · ')
