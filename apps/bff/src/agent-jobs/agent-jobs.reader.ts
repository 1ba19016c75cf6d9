import type { AgentJobKey } from '@docket/api-types/agent-jobs'
import { and, eq, type SQL } from 'drizzle-orm'
import { AdminApiError, type AdminApi } from '#admin-api/admin-api.ts'
import type { AgentJobRow } from '#agent-jobs/agent-jobs.meaning.ts'
import { afterAnswer, afterFailure } from '#agent-jobs/agent-jobs.outcome.ts'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import type { Database, Tx } from '#db/database.ts'
import { bumpRevision } from '#db/revision.ts'
import { claimNow, writeBack, type Claimed } from '#watch/claim.ts'
import { GateClosed, type CallGate } from '#watch/gate.ts'
import type { Pace } from '#watch/intervals.ts'

/** Reads followed jobs upstream, one call per job at a time, and keeps the outcome. */
export type AgentJobReader = {
  /** For the watcher: reads a claimed job. Failures of the service end up in the record. */
  readClaimed: (claimed: Claimed<AgentJobRow>) => Promise<void>
  /**
   * For a person: reads it now, or joins the read that is under way in this process. False when nobody follows the job.
   * Rejects with the gate's reason, without a call, while the service asked to be left alone.
   */
  readNow: (key: AgentJobKey, lease: { owner: string; leaseMs: number }) => Promise<boolean>
}

/** The condition that names one job. */
export const isJob = ({ projectId, id }: AgentJobKey): SQL | undefined =>
  and(eq(agentJobs.projectId, projectId), eq(agentJobs.id, id))

/** Stamps a changed job with the next revision of the list. The list's own row comes last, so writers cannot block each other. */
export const countChange = async (tx: Tx, key: AgentJobKey): Promise<AgentJobRow> => {
  const revision = await bumpRevision(tx, 'agent_jobs')
  const [row] = await tx.update(agentJobs).set({ revision }).where(isJob(key)).returning()
  return row!
}

export const agentJobReader = (deps: {
  db: Database
  adminApi: AdminApi
  gate: CallGate
  now: () => number
  pace: Pace
}): AgentJobReader => {
  const { db, adminApi, gate, now, pace } = deps
  const underWay = new Map<string, Promise<boolean>>()

  const joined = (key: AgentJobKey, read: () => Promise<boolean>): Promise<boolean> => {
    const name = JSON.stringify([key.projectId, key.id])
    const running =
      underWay.get(name) ??
      read().finally(() => {
        underWay.delete(name)
      })
    underWay.set(name, running)
    return running
  }

  const keep = (lease: string, outcome: AgentJobRow) =>
    db.transaction(async (tx) => {
      const kept = await writeBack(tx, agentJobs, { which: isJob(outcome), lease, set: outcome })
      if (kept !== undefined) await countChange(tx, outcome)
    })

  /** Asks the service and keeps what comes of it. Rejects with `GateClosed`, and frees the job, when no call was made. */
  const readAndKeep = async ({ row, lease }: Claimed<AgentJobRow>, click: boolean): Promise<void> => {
    let outcome: AgentJobRow
    try {
      const snapshot = await gate.call(() => adminApi.getAgentJob(row), { click })
      outcome = afterAnswer(row, snapshot, { now: now(), pace })
    } catch (error) {
      if (error instanceof GateClosed) {
        const set = { nextCheckAt: new Date(now() + (error.retryAfterMs ?? 0)) }
        await writeBack(db, agentJobs, { which: isJob(row), lease, set })
      }
      if (!(error instanceof AdminApiError) || error instanceof GateClosed) throw error
      outcome = afterFailure(row, error, { now: now(), pace })
    }
    await keep(lease, outcome)
  }

  return {
    readClaimed: async (claimed) => {
      await joined(claimed.row, async () => {
        await readAndKeep(claimed, false).catch((error: unknown) => {
          if (!(error instanceof GateClosed)) throw error
        })
        return true
      })
    },
    readNow: (key, lease) =>
      joined(key, async () => {
        // Before the claim, which would make another process drop its answer.
        gate.ensureOpen({ click: true })
        const claimed = await claimNow(db, agentJobs, { ...lease, now: now(), which: isJob(key) })
        if (claimed === undefined) return false
        await readAndKeep(claimed, true)
        return true
      }),
  }
}
