import { Hono } from 'hono'
import type { AppEnv } from '#http/app-env.ts'

/**
 * `/livez`: the process answers. `/readyz`: the database answers too; whether the Admin API does is on the page, because taking
 * Docket away would not bring it back. They tell nothing else, so they answer under any host name.
 */
export const health = (pingDatabase: () => Promise<void>) =>
  new Hono<AppEnv>()
    .get('/livez', (c) => c.text('ok\n'))
    .get('/readyz', async (c) => {
      await pingDatabase()
      return c.text('ok\n')
    })
