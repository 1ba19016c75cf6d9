import type { RecordKey } from '@docket/api-types/activity'
import type { AuditAction } from '@docket/api-types/audit'
import type { HistoryKind } from '@docket/api-types/history'
import { sql } from 'drizzle-orm'
import { recordAudit } from '#audit/audit.ts'
import type { Tx } from '#db/database.ts'
import type { NewEvent } from './new-event.ts'

/** What people do to records. A download is written down when it begins, and is an event of the record when it is complete. */
const actions: Readonly<Record<RecordKey['type'], Partial<Record<HistoryKind, AuditAction>>>> = {
  static_export: {
    requested: 'static_export.started',
    imported: 'static_export.imported',
    attached: 'static_export.attached',
    checked: 'static_export.checked',
    removed: 'static_export.removed',
    restored: 'static_export.restored',
    bundle_prepared: 'bundle.prepared',
    link_copied: 'bundle.link_minted',
  },
  agent_job: {
    followed: 'agent_job.followed',
    created: 'agent_job.created',
    message_sent: 'agent_job.message_sent',
    attached: 'agent_job.attached',
    checked: 'agent_job.checked',
    removed: 'agent_job.removed',
    restored: 'agent_job.restored',
  },
}

/** A record as the audit names it: an export by its domain, a job by its project and id. */
export const auditTargetOf = async (tx: Tx, key: RecordKey) => {
  if (key.type === 'agent_job') return { type: key.type, id: key.id, name: `${key.projectId}/${key.id}` }
  const { rows } = await tx.execute<{ domain: string }>(
    sql`select domain from static_exports where export_id = ${key.exportId}`,
  )
  return { type: key.type, id: key.exportId, name: rows[0]?.domain ?? null }
}

/** Writes what people did to a record into the audit, in the transaction of its events. */
export const auditEvents = async (tx: Tx, key: RecordKey, events: readonly NewEvent[]): Promise<void> => {
  for (const { kind, by, at, to } of events) {
    const action = actions[key.type][kind]
    if (by === undefined || action === undefined) continue
    // What was said may be confidential; that something was, and how much, is not.
    const details = kind === 'message_sent' ? { characters: Number(to) } : {}
    await recordAudit(tx, by, { action, at, target: await auditTargetOf(tx, key), details })
  }
}
