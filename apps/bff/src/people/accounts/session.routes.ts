import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AccountService } from './accounts.service.ts'
import { readOrigin, requirePerson } from './request-origin.ts'

/** `/api/session` and `/api/setup`: the signed-in person, and the first account. */
export const sessionRoutes = (accounts: AccountService) =>
  apiRoutes()
    .serve('GET /api/session', (c) => accounts.session(c.var.identity, c.req.header('host')))
    .serve('DELETE /api/session', async (c) => {
      if (c.var.identity?.kind === 'person') await accounts.signOut(c.var.identity, c.var.actor)
      accounts.cookie.clear(c)
    })
    .serve('POST /api/account/sessions/handover', async (c) => {
      const handover = await accounts.handOver(requirePerson(c), c.req.header('host'))
      accounts.cookie.clear(c)
      accounts.devices.forget(c)
      return { handover }
    })
    .serve('POST /api/session', async (c) =>
      accounts.writeSession(c, await accounts.takeOver(c.req.valid('json').handover)),
    )
    .serve('POST /api/setup/check', async (c) => {
      await accounts.countTry(c.var.address)
      await accounts.checkSetUp(c.req.valid('json').token)
    })
    .serve('POST /api/setup', async (c) => {
      await accounts.countTry(c.var.address)
      await accounts.writeSession(c, await accounts.setUp(c.req.valid('json'), readOrigin(c, accounts.now())))
    })
