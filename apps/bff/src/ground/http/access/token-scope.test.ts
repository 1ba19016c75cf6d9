import { Activity } from '@docket/api-types/activity'
import { AgentJobChecks, AgentJobFilters, AgentJobList } from '@docket/api-types/agent-jobs'
import { StaticExportChecks, StaticExportFilters, StaticExportList } from '@docket/api-types/static-exports'
import { Status } from '@docket/api-types/status'
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { agentPrompts } from '#records/agent-jobs/prompts/agent-prompts.table.ts'
import { bumpRevision } from '#ground/db/revision.ts'
import { recordEvents } from '#service/history/history.ts'
import { readScope } from './token-scope.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'

type Headers = Record<string, string | undefined>

const [own, foreign] = ['own.example.com', 'foreign.example.com']
const ids = { [own]: randomUUID(), [foreign]: randomUUID() }
let app: TestApp
/** For own.example.com and the project `own`; for the domain only; for the project only; for everything. */
let both: Headers, ofDomain: Headers, ofProject: Headers, ofAll: Headers

beforeAll(async () => {
  app = await testApp()
  await app.db.transaction(async (tx) => {
    for (const domain of [own, foreign])
      for (const state of ['accepted', 'completed', 'failed'] as const) {
        const exportId = state === 'completed' ? ids[domain]! : randomUUID()
        const at = new Date()
        const job = { jobId: `job-${domain}-${state}`, finishedAt: state === 'accepted' ? null : at }
        await tx.insert(staticExports).values({ exportId, domain, state, startedAt: at, ...job })
        await recordEvents(tx, { type: 'static_export', exportId }, [{ kind: 'completed', at, ending: 'completed' }])
      }
    for (const projectId of ['own', 'foreign']) {
      const repository = `https://github.com/${projectId}/docs`
      const at = new Date()
      for (const status of ['active', 'failed'])
        await tx
          .insert(agentJobs)
          .values({ projectId, id: status, status, repository, model: `model-${projectId}`, followedAt: at })
      await recordEvents(tx, { type: 'agent_job', projectId, id: 'failed' }, [{ kind: 'failed', at, ending: 'failed' }])
    }
    await bumpRevision(tx, 'static_exports')
    await bumpRevision(tx, 'agent_jobs')
  })
  both = (await makeToken(app, { domains: [own], projectIds: ['own'] })).bearer
  ofDomain = (await makeToken(app, { domains: ['OWN.Example.com.'] })).bearer
  ofProject = (await makeToken(app, { projectIds: ['own'] })).bearer
  ofAll = (await makeToken(app)).bearer
})
afterAll(() => app.close())

const read = async (path: string, headers: Headers) => (await app.get(path, headers)).json()
const listExports = async (headers: Headers, query = '') =>
  StaticExportList.parse(await read(`/api/static-exports${query}`, headers))
const listJobs = async (headers: Headers, query = '') =>
  AgentJobList.parse(await read(`/api/agent-jobs${query}`, headers))

test('a restricted token lists, counts and pages through only exports in its scope', async () => {
  const whole = await listExports(ofAll)
  expect([whole.items.length, whole.counts.all, whole.counts.active, whole.counts.attention]).toEqual([6, 6, 2, 2])
  for (const query of ['', '?q=example', '?sort=domain', '?sort=oldest']) {
    const { items, counts } = await listExports(both, query)
    expect(new Set(items.map(({ domain }) => domain))).toEqual(new Set([own]))
    expect([items.length, counts.all, counts.active, counts.attention]).toEqual([3, 3, 1, 1])
    expect(counts.groups).toMatchObject({ active: 1, completed: 1, failed: 1 })
    expect(counts.matching?.count ?? 3).toBe(3)
    expect(counts.filtered?.all.count ?? 3).toBe(3)
  }
  const pages = []
  for (let cursor = ''; pages.length < 5;) {
    const { items, nextCursor } = await listExports(both, `?limit=1${cursor}`)
    pages.push(...items.map(({ domain }) => domain))
    if (nextCursor === null) break
    cursor = `&cursor=${nextCursor}`
  }
  expect(pages).toEqual([own, own, own])
  expect((await listExports(both, `?domain=${foreign}`)).items).toEqual([])
  expect((await listExports(both, '?q=foreign')).counts.matching).toEqual({ count: 0, more: false })
})

test('a restricted token lists and counts only jobs in its scope, and durations of other jobs do not affect its answers', async () => {
  const { items, counts } = await listJobs(both)
  expect(items.map(({ projectId, usual }) => [projectId, usual])).toEqual([
    ['own', null],
    ['own', null],
  ])
  expect([counts.all, counts.active, counts.attention]).toEqual([2, 1, 1])
  expect((await listJobs(ofAll)).counts.all).toBe(4)
})

test('a downloaded list, and the list of removed records, contain only records in the token’s scope', async () => {
  const readLines = async (path: string, headers: Headers) => {
    const response = await app.get(path, headers)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    return (await response.text()).trim().split('\r\n').slice(1)
  }
  const exportsFile = '/api/static-exports/export.csv'
  expect((await readLines(exportsFile, ofAll)).length).toBe(6)
  const lines = await readLines(`${exportsFile}?sort=domain`, both)
  expect(lines.map((line) => line.split(',')[1])).toEqual([own, own, own])
  expect(await readLines(`${exportsFile}?domain=${foreign}`, both)).toEqual([])
  expect(await readLines(exportsFile, ofProject)).toEqual([])
  expect((await readLines('/api/agent-jobs/export.csv', both)).map((line) => line.split(',')[1])).toEqual([
    'own',
    'own',
  ])
  for (const domain of [own, foreign])
    expect((await app.delete(`/api/static-exports/${ids[domain]}`, ofAll)).status).toBe(204)
  try {
    const { items, counts } = await listExports(both, '?removed=true')
    expect(items.map(({ exportId }) => exportId)).toEqual([ids[own]])
    expect([counts.matching, counts.removed]).toEqual([
      { count: 1, more: false },
      { count: 1, more: false },
    ])
    expect(await readLines(`${exportsFile}?removed=true`, both)).toHaveLength(1)
  } finally {
    for (const domain of [own, foreign]) await app.post(`/api/static-exports/${ids[domain]}/restore`, {}, ofAll)
  }
})

test('check times reveal nothing outside the token’s scope, on any page', async () => {
  const domains = async (headers: Headers, query = '') => {
    const { checks } = StaticExportChecks.parse(await read(`/api/static-exports/checks${query}`, headers))
    const { items } = await listExports(ofAll)
    return checks.map(({ exportId }) => items.find((item) => item.exportId === exportId)?.domain)
  }
  expect((await domains(ofAll)).filter((domain) => domain === foreign)).toHaveLength(3)
  expect(await domains(both)).toEqual([own, own, own])
  expect(await domains(both, `?domain=${foreign}`)).toEqual([])
  expect(await domains(ofProject)).toEqual([])
  const jobs = AgentJobChecks.parse(await read('/api/agent-jobs/checks', both)).checks
  expect(jobs.map(({ projectId }) => projectId)).toEqual(['own', 'own'])
})

test('filter values include only names within the scope', async () => {
  expect(StaticExportFilters.parse(await read('/api/static-exports/filters', both)).domains).toEqual([own])
  expect(AgentJobFilters.parse(await read('/api/agent-jobs/filters', both))).toEqual({
    repositories: ['https://github.com/own/docs'],
    models: ['model-own'],
  })
})

test('status and activity reveal nothing outside the token’s scope', async () => {
  const { active } = Status.parse(await read('/api/status', both))
  expect(active).toEqual({ staticExports: 1, agentJobs: 1 })
  const activity = Activity.parse(await read('/api/activity', both))
  expect(activity.counts).toEqual({ staticExports: 1, agentJobs: 1 })
  expect(activity.running.length).toBe(2)
  expect(activity.endings.length).toBe(4)
  expect(JSON.stringify(activity)).not.toContain('foreign')
  expect(JSON.stringify(await read('/api/activity', ofAll))).toContain('foreign')
})

test('a token restricted to one kind of record cannot reach the other kind', async () => {
  expect([(await listExports(ofDomain)).counts.all, (await listJobs(ofDomain)).counts.all]).toEqual([3, 0])
  expect([(await listExports(ofProject)).counts.all, (await listJobs(ofProject)).counts.all]).toEqual([0, 2])
  expect((await app.get(`/api/static-exports/${ids[own]}`, ofProject)).status).toBe(404)
  expect((await app.get('/api/agent-jobs/own/active', ofDomain)).status).toBe(404)
})

test('another spelling of an address does not reach a record outside the scope', async () => {
  const id = ids[foreign]!
  for (const path of [
    `/api/static-exports/${id.toUpperCase()}`,
    `/api/static-exports/%${id.codePointAt(0)!.toString(16)}${id.slice(1)}`,
    `/api/static-exports//${id}`,
    `/api/static-exports/${id}/`,
    `/api/static-exports/${id}/download?x=1`,
    '/api/agent-jobs/%66oreign/active',
    '/api/agent-jobs/%2566oreign/active',
    '/api/agent-jobs/%20foreign%20/active',
    '/api/agent-jobs/own/..%2F..%2Fforeign%2Factive',
  ])
    expect([path, (await app.get(path, both)).status]).toEqual([path, 404])
})

test('a restricted token can start exports of only its domains, however the domain is written', async () => {
  const start = (domain: string) => app.post('/api/static-exports', { requestId: randomUUID(), domain }, both)
  const spellings = [
    `https://${foreign.toUpperCase()}./x`,
    `${foreign}.`,
    ` ${foreign} `,
    `http://${foreign}:8443/own.example.com`,
    `https://${own}@${foreign}/`,
    `${foreign}#${own}`,
    foreign.replace('e', '\uff45'),
    foreign.replace('.', '\u3002'),
    `x.${own}`,
    `${own}.${foreign}`,
  ]
  for (const spelling of spellings) {
    const refused = await start(spelling)
    // Those that are no domain are refused as such.
    expect([spelling, refused.status === 400 ? 403 : refused.status]).toEqual([spelling, 403])
  }
  // Its own is running already.
  expect((await start(`https://${own.toUpperCase()}./x`)).status).toBe(409)
  const replaced = { requestId: randomUUID(), domain: own, confirmed: true, replaces: ids[foreign] }
  expect((await app.post('/api/static-exports', replaced, both)).status).toBe(400)
})

test('another caller’s cursor or request ID gives no access to their records', async () => {
  const { nextCursor } = await listExports(ofAll, '?limit=1&sort=domain')
  const { items } = await listExports(both, `?sort=domain&cursor=${nextCursor}`)
  expect(items.map(({ domain }) => domain)).toEqual([own, own, own])
  expect((await listJobs(both, `?cursor=${(await listJobs(ofAll, '?limit=1')).nextCursor}`)).items.length).toBeLessThan(
    3,
  )

  const requestId = randomUUID()
  await app.db.update(staticExports).set({ requestId }).where(eq(staticExports.exportId, ids[foreign]!))
  const sentAt = new Date()
  await app.db.insert(agentPrompts).values({
    requestId,
    kind: 'creation',
    projectId: 'foreign',
    prompt: 'secret words',
    state: 'unknown',
    sentAt,
    sentBy: 'Ada',
  })
  const repeated = { requestId, prompt: 'other words' }
  const answers = [
    app.post('/api/static-exports', { requestId, domain: own, confirmed: true }, both),
    app.post('/api/static-exports', { requestId, domain: foreign }, both),
    app.post('/api/agent-prompts', { ...repeated, projectId: 'own' }, both),
    app.post('/api/agent-prompts', { ...repeated, projectId: 'foreign' }, both),
    app.post(
      '/api/agent-prompts',
      { ...repeated, requestId: randomUUID(), projectId: 'own', replaces: requestId },
      both,
    ),
    app.post(`/api/agent-prompts/${requestId}/attach`, { id: 'active' }, both),
    app.delete(`/api/agent-prompts/${requestId}`, both),
    app.post(`/api/agent-prompts/${requestId}/restore`, undefined, both),
    app.get('/api/agent-prompts', both),
  ]
  for (const answer of await Promise.all(answers)) {
    const text = await answer.text()
    expect([answer.url, answer.ok ? text : '{"prompts":[]}']).toEqual([answer.url, '{"prompts":[]}'])
    expect(text).not.toMatch(new RegExp(`${ids[foreign]}|secret|Ada`))
  }
  const [prompt] = await app.db.select().from(agentPrompts).where(eq(agentPrompts.requestId, requestId))
  expect(prompt).toMatchObject({ state: 'unknown', forgottenAt: null, replacedBy: null })
  expect(await read('/api/agent-prompts', ofAll)).toMatchObject({ prompts: [{ requestId }] })
})

test('a restricted token can neither import nor attach a job, because its domain is unknown', async () => {
  const known = { jobId: `job-${foreign}-completed`, domain: own }
  expect((await app.post('/api/static-exports/import', known, both)).status).toBe(403)
  expect((await app.post(`/api/static-exports/${ids[own]}/attach`, known, both)).status).toBe(403)
  expect((await app.get('/api/connection', both)).status).toBe(403)
})

test('a restricted token can follow jobs of only its projects, and one other project refuses the whole request', async () => {
  const jobs = [
    { projectId: 'own', id: 'active' },
    { projectId: 'foreign', id: 'active' },
  ]
  expect((await app.post('/api/agent-jobs', { jobs }, both)).status).toBe(403)
  expect((await app.post('/api/agent-jobs', { jobs: jobs.slice(0, 1) }, both)).status).toBe(200)
})

test('cached responses are never shared between a restricted token and other callers', async () => {
  const path = '/api/static-exports?sort=newest'
  const theirs = await app.get(path, ofAll)
  const etag = theirs.headers.get('etag')!
  const mine = await app.get(path, { ...both, 'if-none-match': etag })
  expect(mine.status).toBe(200)
  expect(StaticExportList.parse(await mine.json()).items.length).toBe(3)
  const own304 = await app.get(path, { ...both, 'if-none-match': mine.headers.get('etag')! })
  expect(own304.status).toBe(304)
  const again = await app.get(path, { ...ofAll, 'if-none-match': mine.headers.get('etag')! })
  expect([again.status, again.headers.get('etag')]).toEqual([200, etag])
  expect(StaticExportList.parse(await again.json()).items.length).toBe(6)
})

test('the entity tag for a restricted token is unchanged while only records outside its scope change', async () => {
  const path = '/api/static-exports?group=completed'
  const [mine, theirs] = [await app.get(path, both), await app.get(path, ofAll)]
  await app.db.transaction(async (tx) => {
    await tx.update(staticExports).set({ version: '2' }).where(eq(staticExports.exportId, ids[foreign]!))
    await bumpRevision(tx, 'static_exports')
  })
  const tag = mine.headers.get('etag')!
  const after = await app.get(path, { ...both, 'if-none-match': tag })
  expect([after.status, after.headers.get('etag')]).toEqual([304, tag])
  expect((await app.get(path, ofAll)).headers.get('etag')).not.toBe(theirs.headers.get('etag'))
})

test('the scope of a signed-out caller is empty', () => {
  for (const nobody of [null, undefined]) {
    const { domains, projectIds, connectionIds, operates } = readScope(nobody)
    expect([domains, projectIds, connectionIds, operates]).toEqual([[], [], [], []])
  }
})
