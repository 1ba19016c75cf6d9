import { afterEach, expect, test, vi } from 'vitest'
import { get } from './api.ts'

const scripts = import.meta.glob('/public/first.js')
const readExport = (exportId: string) => get('/api/static-exports/{exportId}', { params: { exportId } })
const load = () => scripts['/public/first.js']!()
const asked: string[] = []
const answer = () => Promise.resolve(Response.json({ n: asked.length }))
const ask = (path: string) => {
  asked.push(path)
  return answer()
}

/** Runs the script as a page at `address` does. */
const open = async (
  address: string,
  { state = null as unknown, fetch = ask, who = 'viewer:someone' as string | null } = {},
) => {
  asked.length = 0
  const { pathname, search } = new URL(address, 'http://docket.example')
  const localStorage = { getItem: (key: string) => (key === 'docket.who' ? who : null) }
  for (const [name, value] of Object.entries({
    location: { pathname, search },
    history: { state },
    fetch,
    localStorage,
  }))
    vi.stubGlobal(name, value)
  vi.resetModules()
  await load()
  vi.stubGlobal('fetch', ask)
}
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const firstPage = (list: string) => [list, `${list}/checks`]

test.for([
  ['/', [...firstPage('/api/static-exports'), ...firstPage('/api/agent-jobs')]],
  ['/exports', firstPage('/api/static-exports')],
  ['/exports?q=docs', []],
  ['/exports/4711', ['/api/static-exports/4711']],
  ['/exports/a%2Fb', []],
  ['/agent-jobs', firstPage('/api/agent-jobs')],
  ['/agent-jobs/docs/job-1', ['/api/agent-jobs/docs/job-1']],
  ['/agent-jobs/docs', []],
  ['/settings/connection', []],
  ['/no/such/page', []],
] as const)(
  'at %s the session, the status and what the page shows first are asked for at once',
  async ([address, paths]) => {
    await open(address)
    expect(asked).toEqual(['/api/session', '/api/status', ...paths])
  },
)

test.for([[null], [':someone']])(
  'a browser that knows nobody signed in (%s) asks for the session alone',
  async ([who]) => {
    await open('/exports', { who: who ?? null })
    expect(asked).toEqual(['/api/session'])
  },
)

test.for(['/sign-in', '/setup', '/link'])('%s asks for the session alone', async (address) => {
  await open(address)
  expect(asked).toEqual(['/api/session'])
})

test('a list that was loaded further before is left to the page', async () => {
  await open('/exports', { state: { list: { parts: [] } } })
  expect(asked).toEqual(['/api/session', '/api/status'])
})

test('the first read takes the answer over without asking again, the second one asks', async () => {
  await open('/exports/one')
  expect(await readExport('one')).toEqual({ n: 3 })
  expect(asked).toEqual(['/api/session', '/api/status', '/api/static-exports/one'])
  expect(await readExport('one')).toEqual({ n: 4 })
})

test('an answer that nobody took for ten seconds is asked for again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await open('/exports/two')
  vi.advanceTimersByTime(10_000)
  expect(await readExport('two')).toEqual({ n: 4 })
})

test('a first read that got no answer fails like any other, and the next one asks', async () => {
  await open('/exports/three', { fetch: () => Promise.reject(new TypeError('Failed to fetch')) })
  await expect(readExport('three')).rejects.toMatchObject({ code: 'no_answer' })
  expect(await readExport('three')).toEqual({ n: 1 })
})
