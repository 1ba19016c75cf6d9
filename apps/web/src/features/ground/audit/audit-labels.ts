import type { AuditResult, ListedAuditEvent } from '@docket/api-types/audit'
import { auditActions } from '@docket/api-types/audit-actions'
import type { PublishCheckSettings } from '@docket/api-types/publish-checks'
import { hasKey } from '#lib/has-key.ts'
import { isolateText, formatBytes, formatPlural } from '#lib/text/format.ts'
import { parseJson } from '#lib/text/json.ts'

type Details = ListedAuditEvent['details']

/** Short description of the checks before publishing; null for other text. */
const describePublishChecks = (text: string): string | null => {
  const publishChecks = parseJson(text) as PublishCheckSettings | null | undefined
  if (!publishChecks) return null
  const checks = [
    publishChecks.finishedCheck && 'check finished',
    publishChecks.noNewBreaks && 'no new broken links',
    publishChecks.noNewLeaks && 'no new outside requests',
    publishChecks.maxFewerPages !== null && `at most ${publishChecks.maxFewerPages} % fewer pages`,
    publishChecks.maxBytes !== null && `at most ${formatBytes(publishChecks.maxBytes)}`,
    publishChecks.sameSearch && 'same search',
    publishChecks.approvals > 0 && formatPlural(publishChecks.approvals, 'approval'),
  ]
  return checks.filter(Boolean).join(', ') || 'no checks'
}

const words: Readonly<Record<string, string>> = { isProtected: 'protected' }

const describeChannelChange = ({ publishChecks, headers, ...rest }: Details): Details => ({
  ...Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [
      words[name] ?? name,
      typeof value === 'boolean' ? (value ? 'on' : 'off') : name === 'hostname' && value === null ? 'none' : value,
    ]),
  ),
  ...(headers !== undefined && { headers: headers || 'none' }),
  ...(typeof publishChecks === 'string' && {
    'checks before publishing': describePublishChecks(publishChecks) ?? publishChecks,
  }),
})

/** Label of the action or the attempt. If `named`, it ends with the word that precedes the target's name. */
export const describeAction = ({ action, outcome }: Pick<ListedAuditEvent, 'action' | 'outcome'>, named: boolean) => {
  if (action === 'backup.made' && outcome !== 'ok') return 'Tried to make a backup'
  const [label, join] = hasKey(auditActions, action) ? auditActions[action] : [action]
  const tried = action === 'session.signed_in' && outcome !== 'ok'
  return (tried ? 'Tried to sign in' : label) + (named ? (join === undefined ? ':' : ` ${join}`) : '')
}

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

const commands: readonly string[] = [
  'static_export.started',
  'agent_job.requested',
  'agent_job.message_sent',
  'agent_job.retried',
]

/** Outcome of an event. Null for a command whose record is deleted, or when the server does not send the service's answer. */
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

export const formatDetails = ({ action, details }: Pick<ListedAuditEvent, 'action' | 'details'>): string =>
  Object.entries(action === 'channel.changed' ? describeChannelChange(details) : details)
    .filter(([, value]) => value !== null && value !== false)
    .map(([name, value]) => (value === true ? splitName(name) : `${splitName(name)}: ${isolateText(String(value))}`))
    .join(' · ')
