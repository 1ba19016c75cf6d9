import { Gauge, type Registry } from 'prom-client'

type Work = { waiting: number; running: number; oldestWaitMs: number }

/** The processes of the embedded service, and its work. */
export type WorkloadMetrics = {
  processes: readonly { serves: boolean; exports: number; agents: number }[]
  exports: Work
  agents: Work
}

/** Gauges of the embedded service. Returns a function that updates them; null without the service, or when the database is away. */
export const workloadMetrics = (registry: Registry): ((workload: WorkloadMetrics | null) => void) => {
  const registers = [registry]
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers })
  const processes = gauge(
    'docket_embedded_processes',
    'Processes of the embedded service that take this kind of work.',
    ['work'],
  )
  const jobs = gauge('docket_embedded_jobs', 'Exports and agent jobs of the embedded service that wait or run.', [
    'work',
    'state',
  ])
  const wait = gauge('docket_embedded_oldest_wait_seconds', 'How long the oldest one waits.', ['work'])
  return (workload) => {
    for (const one of [processes, jobs, wait]) one.reset()
    if (workload === null) return
    processes.set({ work: 'requests' }, workload.processes.filter(({ serves }) => serves).length)
    for (const work of ['exports', 'agents'] as const) {
      processes.set({ work }, workload.processes.filter((one) => one[work] > 0).length)
      jobs.set({ work, state: 'waiting' }, workload[work].waiting)
      jobs.set({ work, state: 'running' }, workload[work].running)
      wait.set({ work }, workload[work].oldestWaitMs / 1000)
    }
  }
}
