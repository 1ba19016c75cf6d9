import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { AccountService } from './accounts.service.ts'
import { readOrigin, requirePerson } from './request-origin.ts'

const read = apiRoute('GET', '/api/session', {
  summary: 'Who is signed in, and how one can sign in',
  answer: 'The session.',
})
const signOut = apiRoute('DELETE', '/api/session', {
  summary: 'Sign out: ends this session',
  answer: 'It has ended.',
})
const handOver = apiRoute('POST', '/api/account/sessions/handover', {
  summary: "Hand this session over from 127.0.0.1 or localhost to Docket's own name",
  answer: 'The token that continues it, once, within a minute.',
})
const takeOver = apiRoute('POST', '/api/session', {
  summary: 'Continue a session that was handed over',
  answer: 'Signed in.',
})
const setUp = apiRoute('POST', '/api/setup', {
  summary: 'Create the first admin with the one-time link, and sign in',
  answer: 'Signed in.',
})
const checkSetUp = apiRoute('POST', '/api/setup/check', {
  summary: 'Check the one-time link of the first account, without using it up',
  answer: 'It works.',
})

/** `/api/session` and `/api/setup`: the signed-in person, and the first account. */
export const sessionRoutes = (accounts: AccountService) =>
  apiRoutes()
    .serve(read, (c) => accounts.session(c.var.identity, c.req.header('host')))
    .serve(signOut, async (c) => {
      if (c.var.identity?.kind === 'person') await accounts.signOut(c.var.identity, c.var.actor)
      accounts.cookie.clear(c)
    })
    .serve(handOver, async (c) => {
      const handover = await accounts.handOver(requirePerson(c), c.req.header('host'))
      accounts.cookie.clear(c)
      accounts.devices.forget(c)
      return { handover }
    })
    .serve(takeOver, async (c) => accounts.writeSession(c, await accounts.takeOver(c.req.valid('json').handover)))
    .serve(checkSetUp, async (c) => {
      await accounts.countTry(c.var.address)
      await accounts.checkSetUp(c.req.valid('json').token)
    })
    .serve(setUp, async (c) => {
      await accounts.countTry(c.var.address)
      await accounts.writeSession(c, await accounts.setUp(c.req.valid('json'), readOrigin(c, accounts.now())))
    })
