import type { Unattended } from '@docket/api-types/workload'

type Work = { waiting: number; running: number; oldestWaitMs: number }

export type ReadWorkload = () => Promise<{
  processes: { host: string; serves: boolean; exports: number; agents: number; startedAt: Date }[]
  exports: Work
  agents: Work
}>

/** Time for which a result is shared, because every open page polls it. Milliseconds. */
const freshMs = 5_000
/** Time for which work may wait while a worker is being replaced. Milliseconds. */
const patienceMs = 20_000

/** Without the embedded service, `read` is null and every list is empty. */
export const createWorkloadReader = ({ read, now }: { read: ReadWorkload | null; now: () => number }) => {
  let last: { at: number; workload: ReturnType<ReadWorkload> } | null = null
  const readOnce = (current: ReadWorkload) => {
    if (last === null || now() - last.at >= freshMs) {
      const asked = { at: now(), workload: current() }
      last = asked
      // The next caller tries again.
      asked.workload.catch(() => void (last === asked && (last = null)))
    }
    return last.workload
  }
  return {
    listUnattended: async (): Promise<Unattended[]> => {
      if (read === null) return []
      const workload = await readOnce(read)
      return (['exports', 'agents'] as const)
        .filter((kind) => {
          const isTaken = workload.processes.some((one) => one[kind] > 0)
          return !isTaken && workload[kind].waiting > 0 && workload[kind].oldestWaitMs >= patienceMs
        })
        .map((kind) => ({ kind, waiting: workload[kind].waiting }))
    },
    listProcesses: async () =>
      read === null
        ? []
        : (await readOnce(read)).processes.map(({ startedAt, ...one }) => ({
            ...one,
            startedAt: startedAt.toISOString(),
          })),
  }
}

export type WorkloadReader = ReturnType<typeof createWorkloadReader>
