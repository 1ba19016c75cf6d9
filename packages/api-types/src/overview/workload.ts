import { z } from 'zod'

/** Work of the embedded service that waits because no process takes it. */
export const Unattended = z.object({
  kind: z.enum(['exports', 'agents']),
  waiting: z.int().positive(),
})
export type Unattended = z.infer<typeof Unattended>

export const WorkloadReport = z.object({ unattended: z.array(Unattended) })
export type WorkloadReport = z.infer<typeof WorkloadReport>

/** The processes of the embedded service: one with Docket alone, several with workers. */
export const WorkloadProcesses = z.object({
  processes: z.array(
    z.object({
      host: z.string(),
      /** Whether it is a Docket with the page, not a worker. */
      serves: z.boolean(),
      /** Exports that it works on at once. */
      exports: z.int().nonnegative(),
      /** Agent jobs that it works on at once. */
      agents: z.int().nonnegative(),
      startedAt: z.iso.datetime(),
    }),
  ),
})
export type WorkloadProcesses = z.infer<typeof WorkloadProcesses>
