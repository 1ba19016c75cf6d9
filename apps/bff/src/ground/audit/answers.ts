import type { AuditAction, AuditResult, ServiceAnswer } from '@docket/api-types/audit'
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { auditEvents } from './audit.table.ts'

/** Actions whose row is written before the service answers. */
const commands = [
  'static_export.started',
  'agent_job.requested',
  'agent_job.message_sent',
  'agent_job.retried',
] as const satisfies readonly AuditAction[]

const { action, actorName, at, outcome, targetId, targetName } = auditEvents

const readState = (state: string, code: SQL) => sql`case ${sql.raw(state)}
  when 'refused' then case when ${code} in ('upstream_unavailable', 'upstream_timeout') then 'unavailable' else 'refused' end
  when 'unknown' then 'unknown'
  when 'starting' then 'pending'
  when 'sending' then 'pending'
  else 'done' end`

const uuid = sql`case when ${targetId} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${targetId}::uuid end`

// An intent and its audit row have the same time and person.
const prompt = (where: SQL) => sql`(select ${readState('p.state', sql`p.code`)} from agent_prompts p
  where p.sent_at = ${at} and p.sent_by = ${actorName} and ${where} limit 1)`

const followUp = prompt(
  sql`p.kind = 'message' and p.job_id = ${targetId} and p.project_id || '/' || p.job_id = ${targetName}`,
)

/**
 * The service's answer to the command of an audit row, from the record that the command wrote. Null for other rows, and once the record is
 * deleted. The row itself is sealed before the answer comes.
 */
export const serviceAnswer = sql<ServiceAnswer | null>`case ${action}
  when 'static_export.started' then
    (select ${readState('e.state', sql`e.check_failure ->> 'code'`)} from static_exports e where e.export_id = ${uuid})
  when 'agent_job.requested' then
    ${prompt(sql`p.kind = 'creation' and p.project_id = ${targetName}`)}
  when 'agent_job.message_sent' then ${followUp}
  when 'agent_job.retried' then ${followUp}
  end`

const isCommand = inArray(action, [...commands])

/** Condition for rows with this outcome or answer. A command is done once the service took it. */
export const hasResult = (result: AuditResult): SQL | undefined => {
  if (result === 'ok') return sql`(${eq(outcome, 'ok')} and (not ${isCommand} or ${serviceAnswer} = 'done'))`
  if (result === 'refused' || result === 'failed') return eq(outcome, result)
  return and(isCommand, sql`${serviceAnswer} = ${result === 'refused_by_service' ? 'refused' : result}`)
}
