import { z } from 'zod'
import { UpstreamId } from '#records/agent-jobs.ts'
import { connectionChoice } from '#service/connections.ts'
import { MaintenanceOrder } from '#records/maintenance-orders.ts'

/** Ask what an order would do. Nothing is pushed, and no job is created. */
export const PreviewMaintenance = z.object({
  ...connectionChoice,
  projectId: UpstreamId,
  maintenance: MaintenanceOrder,
})
export type PreviewMaintenance = z.input<typeof PreviewMaintenance>

/** Changes that an order would make to the project's base branch as it is now. */
export const MaintenancePreview = z.object({
  summary: z.string(),
  files: z.int().nonnegative(),
  occurrences: z.int().nonnegative(),
  /** The first of these places, as `file:line old → new`. */
  examples: z.array(z.string()),
  /** Number of things left for a person. */
  findings: z.int().nonnegative(),
  /** The first of them, as `file:line what — why`. */
  firstFindings: z.array(z.string()),
  notes: z.array(z.string()),
})
export type MaintenancePreview = z.infer<typeof MaintenancePreview>
