import { ApiErrorBody } from '@docket/api-types/api-error'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { expect, test } from 'vitest'
import { AdminApiError, AppError } from '#ground/errors/app-error.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { onError } from '#ground/http/on-error.ts'
import { setRequestContext } from '#ground/http/request-context.ts'
import { createLog } from '#ground/log/log.ts'

const link = 'https://storage.example.com/bundle.tar.gz?X-Amz-Signature=cafebabe0123'
const key = 'prefix_0123456789abcdef'

const failingWith = async (thrown: unknown) => {
  let logged = ''
  const destination = { write: (line: string) => void (logged += line) }
  const app = new Hono<AppEnv>()
  app.use(setRequestContext(createLog({ level: 'trace', destination, secrets: [key] })))
  app.onError(onError((error) => error instanceof RangeError))
  app.get('/', () => {
    throw thrown
  })
  const response = await app.request('/')
  return { response, body: ApiErrorBody.parse(await response.clone().json()), text: await response.text(), logged }
}

test('an unknown failure is reported as internal, with only the request ID', async () => {
  const { response, body, text, logged } = await failingWith(new Error('secret detail'))
  expect([response.status, body.code]).toEqual([500, 'internal'])
  expect(text).not.toContain('secret detail')
  expect(logged).toContain('secret detail')
  expect(logged).toContain(body.requestId)
})

test('a failure of the Admin API keeps its message, its status and its Retry-After', async () => {
  const error = new AdminApiError('upstream_rate_limited', 'Too fast.', { effect: 'none', retryAfterMs: 1_500 })
  const { response, body } = await failingWith(error)
  expect([response.status, body.code, body.message]).toEqual([503, 'upstream_rate_limited', 'Too fast.'])
  expect(response.headers.get('retry-after')).toBe('2')
})

test('every 503 and 429 has a Retry-After header, and other statuses have one only if the failure sets it', async () => {
  for (const error of [
    new AdminApiError('upstream_rate_limited', 'Too fast.', { effect: 'none' }),
    new AdminApiError('upstream_unavailable', 'Away.', { effect: 'none' }),
    new AppError('too_many_requests', 'Too many.'),
    new AppError('busy', 'Busy.'),
  ])
    expect((await failingWith(error)).response.headers.get('retry-after')).toBe('5')
  const { response } = await failingWith(new AdminApiError('upstream_timeout', 'Late.', { effect: 'none' }))
  expect(response.headers.get('retry-after')).toBeNull()
})

test('a rejected admin key is answered 502, so the person stays signed in', async () => {
  const { response } = await failingWith(new AdminApiError('upstream_key_rejected', 'Renew it.', { effect: 'none' }))
  expect(response.status).toBe(502)
})

test('an error thrown by a route keeps its field and the conflicting export', async () => {
  const exportId = '01890a5d-ac96-774b-bcce-b302099a8057'
  const { response, body } = await failingWith(
    new AppError('conflict', 'One runs already.', { field: 'domain', exportId }),
  )
  expect(response.status).toBe(409)
  expect(body).toMatchObject({ code: 'conflict', field: 'domain', exportId })
})

test('an unavailable database is answered 503 with a Retry-After header', async () => {
  const { response, body } = await failingWith(new RangeError('away'))
  expect([response.status, body.code, response.headers.get('retry-after')]).toEqual([503, 'database_unavailable', '5'])
})

test('an unsupported request is answered with a 4xx', async () => {
  const { response, body } = await failingWith(new HTTPException(415, { message: 'Unsupported Media Type' }))
  expect([response.status, body.code]).toEqual([400, 'invalid_request'])
})

test('neither a key nor a presigned link is logged, however deeply it is nested', async () => {
  const cause = new Error(`GET ${link} answered 403`, { cause: new Error(`Authorization: Bearer other-${key}`) })
  const { logged, text } = await failingWith(new Error(`Cannot fetch ${link} with ${key}`, { cause }))
  for (const output of [logged, text]) {
    expect(output).not.toContain(key)
    expect(output).not.toContain('cafebabe0123')
  }
  expect(logged).toContain('https://storage.example.com/bundle.tar.gz')
})
