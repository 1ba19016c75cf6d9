import type { AgentJobReader } from '#agent-jobs/agent-jobs.reader.ts'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import type { Database } from '#db/database.ts'
import type { Log } from '#log.ts'
import { claimDue, nextDueAt } from '#watch/claim.ts'
import type { CallGate } from '#watch/gate.ts'
import { watchLoop, type WatchLoop } from '#watch/watch-loop.ts'

/** Keeps followed agent jobs up to date without a request. Any number of processes may watch one database. */
export const agentJobWatcher = (deps: {
  db: Database
  reader: AgentJobReader
  gate: CallGate
  lease: { owner: string; leaseMs: number }
  clock: { now: () => number; log: Log }
}): WatchLoop => {
  const { db, reader, gate, lease, clock } = deps
  return watchLoop({
    name: 'agent jobs',
    ...clock,
    claim: async (wanted) => {
      const limit = gate.allowance(wanted)
      return limit === 0 ? [] : claimDue(db, agentJobs, { ...lease, now: clock.now(), limit })
    },
    check: reader.readClaimed,
    nextDueAt: async () => {
      const due = await nextDueAt(db, agentJobs)
      const opens = gate.opensAt()
      return due === null || opens === null || opens < due ? due : opens
    },
  })
}
