import { otherRoutes, routes } from '@docket/api-types/routes'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { testApp } from '#testing/test-app.ts'

const app = await testApp()
afterAll(app.close)

const Document = z.object({ openapi: z.string(), paths: z.record(z.string(), z.record(z.string(), z.unknown())) })

const routed = app.app.routes
  .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api'))
  .map(({ method, path }) => `${method} ${path.replaceAll(/:([^/]+)/g, '{$1}')}`)

test('the OpenAPI description has exactly the routes under /api', async () => {
  const response = await app.get('/api/openapi.json')
  const { paths } = Document.parse(await response.json())
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(new Set(described)).toEqual(new Set(routed))
  expect(described).toContain('POST /api/agent-jobs')
})

test('the OpenAPI description states who may use each operation and how to authenticate', async () => {
  const { paths } = Document.parse(await (await app.get('/api/openapi.json')).json())
  const both = [{ session: [] }, { token: [] }]
  expect(paths['/api/static-exports']?.['post']).toMatchObject({
    security: both,
    'x-docket-role': 'operator',
    'x-docket-audit': ['static_export.started'],
  })
  expect(paths['/api/users']?.['get']).toMatchObject({ security: [{ session: [] }], 'x-docket-role': 'admin' })
  expect(paths['/api/session']?.['get']).toMatchObject({ security: [] })
})

test('the server serves every route of the contract, and no other', () => {
  const contract = Object.keys({ ...routes, ...otherRoutes }).filter((route) => route.includes(' /api/'))
  expect(new Set(routed)).toEqual(new Set(contract))
})
