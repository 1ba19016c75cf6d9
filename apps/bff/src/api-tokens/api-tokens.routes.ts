import { ApiTokenList, CreateApiToken, CreatedApiToken } from '@docket/api-types/api-tokens'
import { createRoute, z } from '@hono/zod-openapi'
import { answers, answersNothing, apiRoutes, jsonBody } from '#http/api-routes.ts'
import { send, sendNothing } from '#http/send.ts'
import type { ApiTokenService } from './api-tokens.service.ts'

const list = createRoute({
  method: 'get',
  path: '/',
  summary: 'API tokens, without their secrets',
  responses: answers(ApiTokenList, 'Those that work first, then the latest of the others.'),
})
const create = createRoute({
  method: 'post',
  path: '/',
  summary: 'Make an API token; this answer alone holds it',
  request: jsonBody(CreateApiToken),
  responses: answers(CreatedApiToken, 'The token, and what is kept of it.', 201),
})
const revoke = createRoute({
  method: 'delete',
  path: '/{tokenId}',
  request: { params: z.object({ tokenId: z.uuid() }) },
  summary: 'Revoke an API token at once',
  responses: answersNothing('It does not work any more.'),
})

/** `/api/tokens`: what programs sign in with. */
export const apiTokenRoutes = (tokens: ApiTokenService) =>
  apiRoutes()
    .openapi(list, async (c) => send(c, ApiTokenList, await tokens.list()))
    .openapi(create, async (c) => send(c, CreatedApiToken, await tokens.create(c.req.valid('json'), c.var.actor), 201))
    .openapi(revoke, async (c) => {
      await tokens.revoke(c.req.valid('param').tokenId, c.var.actor)
      return sendNothing(c)
    })
