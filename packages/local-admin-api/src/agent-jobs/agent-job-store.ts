import { inTurn } from '@docket/code-hosts/embedded/in-turn'
import type { AgentJobRecord, Turn } from '#agent-jobs/agent-job.ts'
import type { JsonFolder } from '#files/json-folder.ts'
import type { Log } from '#log.ts'

/** Reads the jobs of `folder`. */
export const agentJobStore = async (folder: JsonFolder<AgentJobRecord>, log: Log) => {
  const known = new Map((await folder.readAll()).map((job) => [job.id, job]))
  const existing = (id: string) => {
    const job = known.get(id)
    if (!job) throw new Error('There is no such agent job.')
    return job
  }
  const change = (id: string, make: (job: AgentJobRecord) => AgentJobRecord | null) =>
    inTurn(id, async () => {
      const changed = make(existing(id))
      if (!changed) return existing(id)
      await folder.write(id, changed)
      known.set(id, changed)
      return changed
    })
  const keep = (id: string, make: (job: AgentJobRecord) => AgentJobRecord) =>
    inTurn(id, async () => {
      const changed = make(existing(id))
      await folder.write(id, changed).catch((error: unknown) => {
        log.error({ id, err: error }, 'an agent job could not be saved')
      })
      known.set(id, changed)
      return changed
    })
  return {
    get: (id: string) => known.get(id) ?? null,
    /** Oldest first. */
    all: () => [...known.values()].toSorted((a, b) => a.createdAt.localeCompare(b.createdAt)),
    /** Resolves when the job is on disk; rejects, without a job, when the write fails. */
    add: (job: AgentJobRecord) =>
      inTurn(job.id, async () => {
        await folder.write(job.id, job)
        known.set(job.id, job)
        return job
      }),
    /**
     * Changes a job based on its current state; null changes nothing. Resolves with the job once it is on disk. Changes of one job never
     * overlap. Rejects, with nothing changed, when the write fails.
     */
    change,
    /**
     * Like `change`, for changes that cannot be refused: after a failed write the answers stay right, and the next start settles the file.
     */
    keep,
    /** `change` for one turn. */
    changeTurn: (id: string, position: number, turn: Partial<Turn>) => change(id, withTurn(position, turn)),
    /** `keep` for one turn, with `more` changes of its job. */
    keepTurn: (id: string, position: number, turn: Partial<Turn>, more: Partial<AgentJobRecord> = {}) =>
      keep(id, withTurn(position, turn, more)),
  }
}

/** The agent jobs, in memory and on the disk. */
export type AgentJobStore = Awaited<ReturnType<typeof agentJobStore>>

const withTurn =
  (position: number, turn: Partial<Turn>, more: Partial<AgentJobRecord> = {}) =>
  (job: AgentJobRecord): AgentJobRecord =>
    deriveJob({ ...job, ...more }, job.turns.with(position, { ...job.turns[position]!, ...turn }))

/** The job with other turns, and the status that follows from them. */
export const deriveJob = (job: AgentJobRecord, turns: Turn[]): AgentJobRecord => {
  if (job.status === 'archived') return { ...job, turns }
  const isActive = turns.some(({ outcome }) => outcome === null)
  const status = turns.at(-1)!.outcome === 'completed' ? 'completed' : 'failed'
  return { ...job, turns, status: isActive ? 'active' : status }
}
