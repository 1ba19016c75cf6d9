import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { ApiTokenService } from './api-tokens.service.ts'

const list = apiRoute('GET', '/api/tokens', {
  summary: 'API tokens, without their secrets',
  answer: 'Those that work first, then the latest of the others.',
})
const create = apiRoute('POST', '/api/tokens', {
  summary: 'Make an API token; this answer alone holds it',
  answer: 'The token, and what is kept of it.',
  status: 201,
})
const revoke = apiRoute('DELETE', '/api/tokens/{tokenId}', {
  summary: 'Revoke an API token at once',
  answer: 'It does not work any more.',
})
const handOver = apiRoute('POST', '/api/tokens/{tokenId}/hand-over', {
  summary: 'Become the owner of an API token, such as one whose owner is gone',
  answer: 'It works, and never does more than you may.',
})

/** `/api/tokens`: tokens for programs. */
export const apiTokenRoutes = (tokens: ApiTokenService) =>
  apiRoutes()
    .serve(list, () => tokens.list())
    .serve(create, (c) => tokens.create(c.req.valid('json'), c.var.actor))
    .serve(handOver, (c) => tokens.handOver(c.req.valid('param').tokenId, c.var.actor))
    .serve(revoke, (c) => tokens.revoke(c.req.valid('param').tokenId, c.var.actor))
