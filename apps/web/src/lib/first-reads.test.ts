import { afterEach, expect, test, vi } from 'vitest'
import { get } from './api.ts'
import { listPath } from './list-search.ts'

const scripts = import.meta.glob('/public/first.js')
const load = () => scripts['/public/first.js']!()
const asked: string[] = []
const answer = () => Promise.resolve(Response.json({ n: asked.length }))
const ask = (path: string) => {
  asked.push(path)
  return answer()
}

/** Runs the script as a page at `address` does. */
const open = async (address: string, { state = null as unknown, fetch = ask } = {}) => {
  asked.length = 0
  const { pathname, search } = new URL(address, 'http://docket.example')
  for (const [name, value] of Object.entries({ location: { pathname, search }, history: { state }, fetch }))
    vi.stubGlobal(name, value)
  vi.resetModules()
  await load()
  vi.stubGlobal('fetch', ask)
}
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test.for([
  ['/', ['/api/static-exports', '/api/agent-jobs']],
  ['/exports', [listPath('/api/static-exports', {}, { from: null, until: null })]],
  ['/exports?q=docs', []],
  ['/exports/4711', ['/api/static-exports/4711']],
  ['/exports/a%2Fb', []],
  ['/agent-jobs', [listPath('/api/agent-jobs', {}, { from: null, until: null })]],
  ['/agent-jobs/docs/job-1', ['/api/agent-jobs/docs/job-1']],
  ['/agent-jobs/docs', []],
  ['/settings/connection', []],
  ['/no/such/page', []],
] as const)('at %s the status and what the page shows first are asked for at once', async ([address, paths]) => {
  await open(address)
  expect(asked).toEqual(['/api/status', ...paths])
})

test('a list that was loaded further before is left to the page', async () => {
  await open('/exports', { state: { list: { parts: [] } } })
  expect(asked).toEqual(['/api/status'])
})

test('the first read takes the answer over without asking again, the second one asks', async () => {
  await open('/exports/one')
  expect(await get('/api/static-exports/one')).toEqual({ n: 2 })
  expect(asked).toEqual(['/api/status', '/api/static-exports/one'])
  expect(await get('/api/static-exports/one')).toEqual({ n: 3 })
})

test('an answer that nobody took for ten seconds is asked for again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await open('/exports/two')
  vi.advanceTimersByTime(10_000)
  expect(await get('/api/static-exports/two')).toEqual({ n: 3 })
})

test('a first read that got no answer fails like any other, and the next one asks', async () => {
  await open('/exports/three', { fetch: () => Promise.reject(new TypeError('Failed to fetch')) })
  await expect(get('/api/static-exports/three')).rejects.toMatchObject({ code: 'no_answer' })
  expect(await get('/api/static-exports/three')).toEqual({ n: 1 })
})
