import { and, isNull } from 'drizzle-orm'
import { settleTrouble, unsettleTrouble } from '#ground/db/attention.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { writeNote } from '#ground/db/notes.ts'
import type { Actor } from '#ground/identity/actor.ts'
import { countJobChange, isJob, type JobKey, recordJobEvents } from './agent-jobs.rows.ts'
import type { AgentJobRow } from './agent-jobs.state.ts'
import { agentJobs } from './agent-jobs.table.ts'

type Act = { at: Date; by: Actor }

/** Says that a job needs no attention. Idempotent. */
export const dismissJob = (db: Database, key: JobKey, { at, by }: Act): Promise<void> =>
  db.transaction(async (tx) => {
    if (!(await settleTrouble(tx, agentJobs, isJob(key)))) return
    await countJobChange(tx, key)
    await recordJobEvents(tx, key, [{ kind: 'dismissed', at, by }])
  })

/** Undoes `dismissJob`. */
export const undoDismissal = (db: Database, key: JobKey, { at, by }: Act): Promise<void> =>
  db.transaction(async (tx) => {
    if (!(await unsettleTrouble(tx, agentJobs, isJob(key)))) return
    await countJobChange(tx, key)
    await recordJobEvents(tx, key, [{ kind: 'dismissal_undone', at, by }])
  })

/** Writes the note of a job; an empty one removes it. */
export const noteJob = (db: Database, key: JobKey, { note, at, by }: Act & { note: string }): Promise<void> =>
  db.transaction(async (tx) => {
    if (!(await writeNote(tx, agentJobs, isJob(key), { note, by: by.name, at }))) return
    await countJobChange(tx, key)
    await recordJobEvents(tx, key, [{ kind: 'note_changed', at, by, to: String(note.length) }])
  })

/**
 * Forgets that the absence of a job was dismissed once the service finds it again without other trouble, because a finished job keeps its
 * time of trouble.
 */
export const forgetDismissedAbsence = async (tx: Tx, before: AgentJobRow, after: AgentJobRow): Promise<void> => {
  if (before.goneAt === null || after.goneAt !== null) return
  await tx
    .update(agentJobs)
    .set({ settledTrouble: null })
    .where(and(isJob(after), isNull(agentJobs.troubledAt)))
}
