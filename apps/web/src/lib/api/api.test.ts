import { afterAll, expect, test, vi } from 'vitest'
import { get } from './api.ts'

type Answer = { status?: number; etag?: string; body?: unknown }

const requests: Headers[] = []
let answers: Answer[] = []
vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
  requests.push(new Headers(init.headers))
  const { status = 200, etag, body } = answers.shift() ?? { status: 500 }
  const headers = new Headers({ 'content-type': 'application/json' })
  if (etag !== undefined) headers.set('etag', etag)
  return Promise.resolve(new Response(body === undefined ? null : JSON.stringify(body), { status, headers }))
})
afterAll(() => void vi.unstubAllGlobals())

let pages = 0

/** Reads a page that was never asked for; the server gives these answers one after the other. */
const reading = (...next: Answer[]) => {
  requests.length = 0
  answers = next
  const cursor = String((pages += 1))
  return () => get('/api/agent-jobs', { query: { cursor } })
}

test('an unchanged response returns the same object, and a changed one returns a new object', async () => {
  const read = reading(
    { etag: '"one"', body: { items: [{ id: 'a' }] } },
    { status: 304, etag: '"one"' },
    { etag: '"two"', body: { items: [] } },
    { status: 304, etag: '"two"' },
  )
  const first = await read()
  expect(await read()).toBe(first)
  const second = await read()
  expect(second).toEqual({ items: [] })
  expect(await read()).toBe(second)
  expect(requests.map((headers) => headers.get('if-none-match'))).toEqual([null, '"one"', '"one"', '"two"'])
})
