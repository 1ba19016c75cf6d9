import { Hono } from 'hono'
import { z } from 'zod'
import { MaintenanceOrder, orderRule } from './order.ts'
import type { MaintenancePreviews } from './preview.ts'

const Body = z.object({ maintenance: MaintenanceOrder })

/** `/v2/agent/{projectId}/maintenance`: what an order would do, without a job and without a push. */
export const maintenanceRoutes = ({ preview }: MaintenancePreviews) =>
  new Hono().post('/v2/agent/:projectId/maintenance/preview', async (c) => {
    const body = Body.safeParse(await c.req.json().catch(() => null))
    if (!body.success) return c.json({ error: orderRule }, 400)
    const found = await preview(c.req.param('projectId'), body.data.maintenance)
    if ('preview' in found) return c.json(found.preview)
    return 'missing' in found ? c.json({ error: 'Project not found' }, 404) : c.json({ error: found.refused }, 409)
  })
