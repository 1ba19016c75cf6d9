import { auditActions } from '@docket/api-types/audit-actions'
import type { AuditAction, AuditResult, ListedAuditEvent } from '@docket/api-types/audit'
import { isolate } from '#lib/text/bidi.ts'
import { describeChannelChange } from './channel-change.ts'

/** The action, or the attempt. Ends with the word before the name of its target, if it is `named`. */
export const describeAction = ({ action, outcome }: Pick<ListedAuditEvent, 'action' | 'outcome'>, named: boolean) => {
  if (action === 'backup.made' && outcome !== 'ok') return 'Tried to make a backup'
  const [label, join] = auditActions[action]
  const tried = action === 'session.signed_in' && outcome !== 'ok'
  return (tried ? 'Tried to sign in' : label) + (named ? (join === undefined ? ':' : ` ${join}`) : '')
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
