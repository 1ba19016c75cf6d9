import type { AuditAction, AuditEvent, AuditOutcome } from '@docket/api-types/audit'
import { isolate } from '#lib/bidi.ts'

/** Label of each action. */
export const actionLabels: Readonly<Record<AuditAction, string>> = {
  'static_export.started': 'Started an export',
  'static_export.imported': 'Tracked an export',
  'static_export.attached': 'Attached a job id',
  'static_export.checked': 'Checked an export',
  'static_export.removed': 'Removed an export',
  'static_export.restored': 'Restored an export',
  'bundle.prepared': 'Prepared a bundle',
  'bundle.link_minted': 'Copied a bundle link',
  'bundle.downloaded': 'Downloaded a bundle',
  'agent_job.requested': 'Asked for an agent job',
  'agent_job.created': 'Created an agent job',
  'agent_job.attached': 'Attached an agent job',
  'agent_job.request_forgotten': 'Forgot a request for an agent job',
  'agent_job.request_restored': 'Restored a request for an agent job',
  'agent_job.message_sent': 'Sent a follow-up',
  'agent_job.followed': 'Followed an agent job',
  'agent_job.checked': 'Checked an agent job',
  'agent_job.removed': 'Removed an agent job',
  'agent_job.restored': 'Restored an agent job',
  'agent_job.archived': 'Archived an agent job',
  'pull_request.merged': 'Merged a pull request',
  'pull_request.closed': 'Closed a pull request',
  'pull_request.reopened': 'Reopened a pull request',
  'pull_request.branch_deleted': 'Deleted the branch of a pull request',
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
  'user.password_changed': 'Changed a password',
  'user.password_link_created': 'Made a password link',
  'user.second_factor_added': 'Added a second factor',
  'user.second_factor_removed': 'Removed a second factor',
  'user.passkey_added': 'Added a passkey',
  'user.passkey_removed': 'Removed a passkey',
  'invitation.created': 'Invited somebody',
  'invitation.revoked': 'Took an invitation back',
  'connection.pause_ended': 'Ended a pause of the service',
  'api_token.created': 'Made an API token',
  'api_token.revoked': 'Revoked an API token',
  'connection.added': 'Added a connection',
  'connection.changed': 'Changed a connection',
  'connection.paused': 'Paused a connection',
  'connection.resumed': 'Resumed a connection',
  'connection.removed': 'Removed a connection',
  'connection.key_checked': 'Tested the key of a connection',
  'connection.records_moved': 'Moved records to a connection',
  'project.named': 'Named a project',
  'grant.added': 'Granted a role',
  'grant.removed': 'Took a role back',
  'audit.exported': 'Exported the audit',
  'audit.purged': 'Deleted old rows',
  'request.refused': 'Asked for what is not allowed',
}

/** The action, or the attempt; fits before the name of its target. */
export const describeAction = ({ action, outcome, target }: AuditEvent): string => {
  if (action !== 'session.signed_in' || outcome === 'ok') return actionLabels[action]
  return target?.name ? 'Tried to sign in as' : 'Tried to sign in'
}

/** Label of each outcome. */
export const outcomeLabels: Readonly<Record<AuditOutcome, string>> = {
  ok: 'Done',
  refused: 'Refused',
  failed: 'Failed',
}

const splitName = (name: string) =>
  name
    .replaceAll(/([A-Z])/g, ' $1')
    .replaceAll('_', ' ')
    .toLowerCase()

/** Details of an event in one line; `''` without any. */
export const formatDetails = ({ details }: AuditEvent): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null && value !== false)
    .map(([name, value]) => (value === true ? splitName(name) : `${splitName(name)}: ${isolate(String(value))}`))
    .join(' · ')
