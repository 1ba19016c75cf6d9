import { Handover, Session, SetUp } from '@docket/api-types/session'
import { createRoute } from '@hono/zod-openapi'
import { answers, answersNothing, apiRoutes, jsonBody } from '#http/api-routes.ts'
import { send, sendNothing } from '#http/send.ts'
import type { AccountService } from './accounts.service.ts'
import { readOrigin, requirePerson } from './request-origin.ts'

const read = createRoute({
  method: 'get',
  path: '/session',
  summary: 'Who is signed in, and how one can sign in',
  responses: answers(Session, 'The session.'),
})
const signOut = createRoute({
  method: 'delete',
  path: '/session',
  summary: 'Sign out: ends this session',
  responses: answersNothing('It has ended.'),
})
const handOver = createRoute({
  method: 'post',
  path: '/account/sessions/handover',
  summary: "Hand this session over from 127.0.0.1 or localhost to Docket's own name",
  responses: answers(Handover, 'The token that continues it, once, within a minute.'),
})
const takeOver = createRoute({
  method: 'post',
  path: '/session',
  summary: 'Continue a session that was handed over',
  request: jsonBody(Handover),
  responses: answersNothing('Signed in.'),
})
const setUp = createRoute({
  method: 'post',
  path: '/setup',
  summary: 'Create the first admin with the one-time link, and sign in',
  request: jsonBody(SetUp),
  responses: answersNothing('Signed in.'),
})

/** `/api/session` and `/api/setup`: the signed-in person, and the first account. */
export const sessionRoutes = (accounts: AccountService) =>
  apiRoutes()
    .openapi(read, async (c) => send(c, Session, await accounts.session(c.var.identity, c.req.header('host'))))
    .openapi(signOut, async (c) => {
      if (c.var.identity?.kind === 'person') await accounts.signOut(c.var.identity, c.var.actor)
      accounts.cookie.clear(c)
      return sendNothing(c)
    })
    .openapi(handOver, async (c) => {
      const handover = await accounts.handOver(requirePerson(c), c.req.header('host'))
      accounts.cookie.clear(c)
      accounts.devices.forget(c)
      return send(c, Handover, { handover })
    })
    .openapi(takeOver, async (c) => {
      await accounts.writeSession(c, await accounts.takeOver(c.req.valid('json').handover))
      return sendNothing(c)
    })
    .openapi(setUp, async (c) => {
      await accounts.countTry(c.var.address)
      await accounts.writeSession(c, await accounts.setUp(c.req.valid('json'), readOrigin(c, accounts.now())))
      return sendNothing(c)
    })
