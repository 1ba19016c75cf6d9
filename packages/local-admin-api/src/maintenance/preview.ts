import type { Projects } from '@docket/code-hosts/code-host'
import type { MaintenanceOrder as Order } from '@docket/doc-agent/recipes/order'
import type { Lines } from '@docket/doc-agent/recipes/recipe'
import { previewOrder } from '@docket/doc-agent/work/run-turn'
import type { WorkFolders } from '@docket/sandbox/work-folders'
import { Hono } from 'hono'
import { z } from 'zod'
import { diskProblem } from '#files/disk-problem.ts'
import type { Log } from '#log.ts'
import { MaintenanceOrder, orderRule } from './order.ts'

export type MaintenancePreview = {
  summary: string
  files: number
  occurrences: number
  examples: string[]
  findings: number
  firstFindings: string[]
  notes: string[]
}

export type Previewed = { preview: MaintenancePreview } | { missing: true } | { refused: string }

const limitMs = 60_000
const maxAtOnce = 2
const maxLines = 20

/** Runs at most two orders at a time and refuses more. */
export const createMaintenancePreviews = (deps: { projects: Projects; workFolders: WorkFolders; log: Log }) => {
  const { projects, workFolders, log } = deps
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()

  const attempt = async (projectId: string, order: Order): Promise<Previewed> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(limitMs)])
    try {
      const project = await projects.open(projectId)
      if (!project) return { missing: true }
      const { summary, files, changes, findings, notes } = await previewOrder(order, { project, workFolders }, signal)
      return {
        preview: {
          summary,
          files,
          occurrences: changes.count,
          examples: first(changes),
          findings: findings.count,
          firstFindings: first(findings),
          notes,
        },
      }
    } catch (error) {
      if (signal.aborted) return { refused: tooLong }
      log.info({ projectId, err: error }, 'a preview of maintenance failed')
      return { refused: explain(error) }
    }
  }
  const explain = (error: unknown) => {
    const problem = diskProblem(error)
    if (problem !== null) return `${problem}.`
    if (error instanceof Error && !('syscall' in error)) return workFolders.hidePaths(error.message)
    return 'A file could not be read or written. The log of the service names it.'
  }

  return {
    preview: async (projectId: string, order: Order): Promise<Previewed> => {
      if (!projects.projectIds.includes(projectId)) return { missing: true }
      if (running.size >= maxAtOnce) return { refused: busy }
      const work = attempt(projectId, order)
      running.add(work)
      return work.finally(() => running.delete(work))
    },
    close: async () => {
      closing.abort()
      await Promise.allSettled(running)
    },
  }
}

const busy = 'Other previews are under way. Try again in a few seconds.'
const tooLong = `The preview took more than ${limitMs / 1000} seconds. Narrow it to a folder, or start the job without one.`

export type MaintenancePreviews = ReturnType<typeof createMaintenancePreviews>

const first = ({ shown }: Lines) => shown.slice(0, maxLines)

const Body = z.object({ maintenance: MaintenanceOrder })

/** `/v2/agent/{projectId}/maintenance`: what an order would do, without a job and without a push. */
export const createMaintenanceRoutes = ({ preview }: MaintenancePreviews) =>
  new Hono().post('/v2/agent/:projectId/maintenance/preview', async (c) => {
    const body = Body.safeParse(await c.req.json().catch(() => null))
    if (!body.success) return c.json({ error: orderRule }, 400)
    const found = await preview(c.req.param('projectId'), body.data.maintenance)
    if ('preview' in found) return c.json(found.preview)
    return 'missing' in found ? c.json({ error: 'Project not found' }, 404) : c.json({ error: found.refused }, 409)
  })
