import { inTurn } from '@docket/code-hosts/embedded/in-turn'
import type { AgentJobRecord } from '#agent-jobs/agent-job.ts'
import type { JsonFolder } from '#files/json-folder.ts'
import type { Log } from '#log.ts'

/** The agent jobs, in memory and on the disk. */
export type AgentJobStore = {
  get(id: string): AgentJobRecord | null
  /** Oldest first. */
  all(): AgentJobRecord[]
  /** Resolves when the job is on disk; rejects, without a job, when the write fails. */
  add(job: AgentJobRecord): Promise<AgentJobRecord>
  /**
   * Changes a job based on its current state; null changes nothing. Resolves with the job once it is on disk. Changes of one job never
   * overlap. Rejects, with nothing changed, when the write fails.
   */
  change(id: string, make: (job: AgentJobRecord) => AgentJobRecord | null): Promise<AgentJobRecord>
  /**
   * Like `change`, for changes that cannot be refused: after a failed write the answers stay right, and the next start settles the file.
   */
  keep(id: string, make: (job: AgentJobRecord) => AgentJobRecord): Promise<AgentJobRecord>
}

/** Reads the jobs of `folder`. */
export const agentJobStore = async (folder: JsonFolder<AgentJobRecord>, log: Log): Promise<AgentJobStore> => {
  const known = new Map((await folder.readAll()).map((job) => [job.id, job]))
  const existing = (id: string) => {
    const job = known.get(id)
    if (!job) throw new Error('There is no such agent job.')
    return job
  }
  return {
    get: (id) => known.get(id) ?? null,
    all: () => [...known.values()].toSorted((a, b) => a.createdAt.localeCompare(b.createdAt)),
    add: (job) =>
      inTurn(job.id, async () => {
        await folder.write(job.id, job)
        known.set(job.id, job)
        return job
      }),
    change: (id, make) =>
      inTurn(id, async () => {
        const changed = make(existing(id))
        if (!changed) return existing(id)
        await folder.write(id, changed)
        known.set(id, changed)
        return changed
      }),
    keep: (id, make) =>
      inTurn(id, async () => {
        const changed = make(existing(id))
        await folder.write(id, changed).catch((error: unknown) => {
          log.error({ id, err: error }, 'an agent job could not be saved')
        })
        known.set(id, changed)
        return changed
      }),
  }
}
