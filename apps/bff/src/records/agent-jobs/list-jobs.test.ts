import { randomUUID } from 'node:crypto'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { ListedAgentJobs } from '@docket/api-types/agent-jobs'
import { ConnectionReport } from '@docket/api-types/connection'
import { Status } from '@docket/api-types/status'
import { onTestFinished, expect, test } from 'vitest'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { testConnectionId } from '#testing/connection.ts'
import { standInServer } from '#testing/stand-in-server.ts'
import { testApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'

type Answer = { status?: number; type?: string; body: unknown }

const path = '/api/agent-jobs/listed?projectId=docs'
const makeEntries = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ id: `job-${from + index}`, title: `Job ${from + index}` }))

/** Docket on a service that has a list of jobs, which answers each call as `answer` says. An admin switched it on. */
const setUp = async (answer: (url: URL) => Answer) => {
  const calls: string[] = []
  const server = await standInServer((request, response) => {
    calls.push(request.url ?? '')
    const { status = 200, type = 'application/json', body } = answer(new URL(request.url ?? '', 'http://service'))
    response.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  const app = await testApp({ upstream: { url: server.url, key: 'test_key-of-the-list' } })
  onTestFinished(async () => {
    await app.close()
    await server.close()
  })
  const allow = async (agentJobList: boolean) => {
    const { status } = await app.send('PATCH', `/api/connections/${testConnectionId}`, { agentJobList })
    expect(status).toBe(200)
  }
  await allow(true)
  const list = async (address = path) => ListedAgentJobs.parse(await (await app.get(address)).json())
  const refused = async (address = path, headers = {}) => {
    const response = await app.get(address, headers)
    return { status: response.status, ...ApiErrorBody.parse(await response.json()) }
  }
  return { app, calls, allow, list, refused }
}

test('a project is listed page by page, each page costs one click of the budget, and followed jobs are marked', async () => {
  const all = makeEntries(0, 40)
  const { app, calls, list } = await setUp(({ searchParams }) => {
    const skip = Number(searchParams.get('skip'))
    return { body: { jobs: all.slice(skip, skip + Number(searchParams.get('take'))) } }
  })
  const at = new Date()
  await app.db.insert(agentJobs).values([
    { projectId: 'docs', id: 'job-1', status: 'active', followedAt: at },
    { projectId: 'docs', id: 'job-2', status: 'active', followedAt: at, removedAt: at },
    { projectId: 'other', id: 'job-3', status: 'active', followedAt: at },
  ])
  const first = await list()
  expect(first.jobs.map(({ id }) => id)).toEqual(all.slice(0, 25).map(({ id }) => id))
  expect(first.jobs.flatMap(({ id, followed }) => (followed ? id : []))).toEqual(['job-1'])
  expect(first).toMatchObject({ next: 25, skipped: 0 })
  const second = await list(`${path}&skip=25`)
  expect([second.jobs.length, second.next]).toEqual([15, 40])
  expect(await list(`${path}&skip=40`)).toEqual({ jobs: [], next: null, skipped: 0 })
  expect(calls).toEqual(['0', '25', '40'].map((skip) => `/v1/agent/docs/jobs?skip=${skip}&take=25`))
  const report = ConnectionReport.parse(await (await app.get('/api/connection')).json())
  expect(report.budget.spent).toEqual({ polls: 0, clicks: 3 })
  expect(report.operations).toMatchObject([{ operation: 'listAgentJobs', failure: null }])
})

test('a page of fewer than 12 jobs is the last, and a service that always sends 12 is read page after page', async () => {
  const { list } = await setUp(({ searchParams }) => {
    const skip = Number(searchParams.get('skip'))
    return { body: { jobs: makeEntries(skip, Math.min(skip + 12, 20)) } }
  })
  expect((await list()).next).toBe(12)
  expect(await list(`${path}&skip=12`)).toMatchObject({ next: null, jobs: { length: 8 } })
})

test('while the list is turned off, no call is made and the error message explains why', async () => {
  const { app, calls, allow, refused } = await setUp(() => ({ body: { jobs: [] } }))
  await allow(false)
  const { status, code, message } = await refused()
  expect([status, code]).toEqual([409, 'conflict'])
  expect(message).toContain('off for this connection')
  expect(calls).toEqual([])
  await allow(true)
  expect((await app.get(`${path}&connection=${testConnectionId}`)).status).toBe(200)
  expect((await refused(`${path}&connection=${randomUUID()}`)).status).toBe(404)
  expect(calls).toHaveLength(1)
})

test('a failed list is reported to the caller, and neither stops reads nor affects the connection', async () => {
  let answer: Answer = { body: '' }
  const { app, calls, refused } = await setUp(({ pathname }) =>
    pathname.startsWith('/v2') ? { body: { id: 'job_1', status: 'active' } } : answer,
  )
  const failures: [Answer, string][] = [
    [{ status: 404, body: { error: 'Not found' } }, 'doesn’t list agent jobs'],
    [{ status: 403, body: { error: 'No' } }, 'list the jobs of this project'],
    [{ status: 500, body: { error: 'Oh' } }, 'reported an error'],
    [{ type: 'text/html', body: '<!doctype html>' }, 'web page'],
  ]
  for (const [how, words] of failures) {
    answer = how
    expect((await refused()).message).toContain(words)
    const { connection, watching } = Status.parse(await (await app.get('/api/status')).json())
    expect([connection.message, watching.heldBack]).toEqual([null, null])
  }
  expect(calls.filter((call) => call.startsWith('/v1'))).toHaveLength(failures.length)
})

test('viewers and tokens of other projects may not list, and an invalid project or page is never sent to the service', async () => {
  const { app, calls, refused } = await setUp(() => ({ body: { jobs: [] } }))
  const { bearer: own } = await makeToken(app, { projectIds: ['docs'] })
  const { bearer: foreign } = await makeToken(app, { projectIds: ['elsewhere'] })
  const { bearer: reading } = await makeToken(app, { scope: 'read' })
  expect((await app.get(path, { ...own, cookie: undefined })).status).toBe(200)
  for (const headers of [foreign, reading])
    expect(await refused(path, { ...headers, cookie: undefined })).toMatchObject({ status: 403, code: 'forbidden' })
  for (const query of ['projectId=..', 'projectId=', 'projectId=docs&skip=-1', 'projectId=docs&skip=x', 'skip=0'])
    expect((await refused(`/api/agent-jobs/listed?${query}`)).status).toBe(400)
  expect(calls).toHaveLength(1)
})
