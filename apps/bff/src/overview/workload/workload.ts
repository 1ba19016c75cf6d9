import type { Unattended } from '@docket/api-types/workload'

type Work = { waiting: number; running: number; oldestWaitMs: number }

/** Reads the processes of the embedded service, and its work. */
export type ReadWorkload = () => Promise<{
  processes: { host: string; serves: boolean; exports: number; agents: number; startedAt: Date }[]
  exports: Work
  agents: Work
}>

/** Every open page asks, so answers are shared for a moment. Milliseconds. */
const freshMs = 5_000
/** A worker that is replaced leaves work alone for so long. Milliseconds. */
const patienceMs = 20_000

/** The work of the embedded service, and who does it. `read`: null without the service. */
export const workloadReader = ({ read, now }: { read: ReadWorkload | null; now: () => number }) => {
  let last: { at: number; workload: ReturnType<ReadWorkload> } | null = null
  const readOnce = (current: ReadWorkload) => {
    if (last === null || now() - last.at >= freshMs) {
      const asked = { at: now(), workload: current() }
      last = asked
      // The next one asks again.
      asked.workload.catch(() => void (last === asked && (last = null)))
    }
    return last.workload
  }
  return {
    /** Work that waits though no process takes it. */
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
    /** Processes of the embedded service; none without it. */
    listProcesses: async () =>
      read === null
        ? []
        : (await readOnce(read)).processes.map(({ startedAt, ...one }) => ({
            ...one,
            startedAt: startedAt.toISOString(),
          })),
  }
}

export type WorkloadReader = ReturnType<typeof workloadReader>
