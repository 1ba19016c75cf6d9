import { expect, test } from 'vitest'
import { get, linkTo, patch, post, remove } from './api.ts'

const exportId = 'e'

test('a call to a route that the contract lacks is a type error', () => {
  // Never runs. An unused directive fails the type check.
  const refused = () => [
    // @ts-expect-error -- no such path
    get('/api/static-export'),
    // @ts-expect-error -- a path without the parameter's name
    get('/api/static-exports/e'),
    // @ts-expect-error -- a method that the path does not take
    patch('/api/static-exports', { body: {} }),
    // @ts-expect-error -- a file to download, which is no JSON
    get('/api/static-exports/{exportId}/download', { params: { exportId } }),
    // @ts-expect-error -- no path parameters
    get('/api/static-exports/{exportId}'),
    // @ts-expect-error -- one path parameter of two
    get('/api/agent-jobs/{projectId}/{id}', { params: { id: 'j' } }),
    // @ts-expect-error -- path parameters that the path does not have
    get('/api/status', { params: { exportId } }),
    // @ts-expect-error -- an unknown query parameter
    get('/api/static-exports', { query: { repository: 'docs' } }),
    // @ts-expect-error -- a query parameter with a value outside its list
    get('/api/static-exports', { query: { group: 'working' } }),
    // @ts-expect-error -- a missing query parameter
    linkTo('/api/audit/export'),
    // @ts-expect-error -- a body where none belongs
    remove('/api/session', { body: {} }),
    // @ts-expect-error -- no body
    post('/api/static-exports/{exportId}/attach', { params: { exportId } }),
    // @ts-expect-error -- a body of another route
    post('/api/static-exports/{exportId}/attach', { params: { exportId }, body: { id: 'j' } }),
    // @ts-expect-error -- a field that the body does not have
    post('/api/tokens', { body: { name: 'CI', scope: 'read', expiresInDays: null, admin: true } }),
    // @ts-expect-error -- a field that the response does not have
    get('/api/status').then(({ person }) => person),
  ]
  expect(refused).toBeTypeOf('function')
})

test('links encode their parameters and omit empty ones', () => {
  expect(linkTo('/api/static-exports/{exportId}/download', { params: { exportId: 'a/b?' } })).toBe(
    '/api/static-exports/a%2Fb%3F/download',
  )
  expect(linkTo('/api/audit/export', { query: { format: 'csv', q: 'a & b', actorId: '' } })).toBe(
    '/api/audit/export?format=csv&q=a+%26+b',
  )
})
