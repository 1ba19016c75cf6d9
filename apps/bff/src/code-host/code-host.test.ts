import { AuditList } from '@docket/api-types/audit'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'
import { type CodeHostChange, openPasses, passMs } from './code-host.service.ts'

const codeHostUrl = 'http://127.0.0.1:4321'
const local = { domains: [], projectIds: ['docs'], codeHostUrl }
const clock = { ms: Date.now() }
const options = { mode: 'local', local, now: () => clock.ms } as const
const app = await testApp(options)
afterAll(() => app.close())

type Headers = Parameters<typeof app.get>[1]
const open = async (to: string, headers: Headers = {}) => {
  const response = await app.get(`/api/code-host/open?to=${encodeURIComponent(to)}`, headers)
  return { status: response.status, location: response.headers.get('location') ?? '' }
}
const passFor = async (headers: Headers = {}) => /#pass=(.+)$/.exec((await open('/', headers)).location)?.[1] ?? ''
const readAudit = async (query: string) => AuditList.parse(await (await app.get(`/api/audit?${query}`)).json()).items

const merge: CodeHostChange = { action: 'merge', projectId: 'docs', id: '1' }
const { codeHost } = app.services
/** Result of the pass check, and number of changes made. */
const attempt = async (pass: string, change = merge, changes = true, service = codeHost) => {
  let runs = 0
  const run = () => {
    runs += 1
    return Promise.resolve(changes)
  }
  return [await service.admit(pass, change, run), runs]
}
const refused = [false, 0]

test('operators and admins reach a page of the code host with a pass behind the #, viewers without one', async () => {
  const withPass = /^http:\/\/127\.0\.0\.1:4321\/docket\/docs\?state=all#pass=\d+\.[\da-f-]{36}\.[\w-]{43}$/
  const operator = await signedIn(app.db, 'operator', { now: clock.ms })
  const viewer = await signedIn(app.db, 'viewer', { now: clock.ms })
  for (const headers of [{}, { cookie: operator.cookie }, { 'sec-fetch-site': 'same-origin' }])
    expect(await open('/docket/docs?state=all', headers)).toEqual({
      status: 303,
      location: expect.stringMatching(withPass) as unknown,
    })
  const readers: Headers[] = [
    { cookie: viewer.cookie },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of readers)
    expect((await open('/docket/docs', headers)).location).toBe(`${codeHostUrl}/docket/docs`)
  const [opened] = await readAudit(`action=code_host.opened&actorId=${operator.userId}`)
  expect(opened).toMatchObject({ actor: { name: 'The operator' }, target: { name: '/docket/docs' } })
  expect(await readAudit(`action=code_host.opened&actorId=${viewer.userId}`)).toEqual([])
})

test('programs with an API token get no pass, and nobody without a session learns where the code host is', async () => {
  const { bearer } = await makeToken(app)
  expect(await open('/', bearer)).toEqual({ status: 403, location: '' })
  expect(await open('/', { cookie: undefined })).toEqual({ status: 303, location: '/agent-jobs' })
})

test.each([
  'https://evil.example/',
  '//evil.example',
  String.raw`/\evil.example`,
  '/\t/evil.example',
  '/.//evil.example',
  '/%2F%2Fevil.example',
  '@evil.example',
  'javascript:alert(1)',
  '/a\r\nset-cookie: x=y',
])('%j leads to the first page of the code host', async (to) => {
  expect((await open(to)).location).toMatch(/^http:\/\/127\.0\.0\.1:4321\/#pass=[\w.-]+$/)
})

test('a fragment in the address does not break the pass', async () => {
  expect((await open('/docket/docs#pass=mine')).location).toMatch(/^[^#]+\/docket\/docs#pass=\d+\.[\w.-]+$/)
})

test('each change is in the audit with the person it was made by', async () => {
  const { userId, cookie } = await signedIn(app.db, 'operator', { now: clock.ms })
  const pass = await passFor({ cookie })
  const id = crypto.randomUUID()
  for (const action of ['merge', 'close', 'reopen', 'delete-branch'] as const)
    expect(await attempt(pass, { ...merge, action })).toEqual([true, 1])
  for (const action of ['send-message', 'archive-job'] as const)
    expect(await attempt(pass, { action, projectId: 'docs', id })).toEqual([true, 1])
  expect(await attempt(pass, { action: 'create-job', projectId: 'docs', id: null })).toEqual([true, 1])
  const events = await readAudit(`actorId=${userId}`)
  expect(events.map(({ action, target }) => `${action} ${target?.name}`).toReversed()).toEqual([
    'code_host.opened /',
    'pull_request.merged docs#1',
    'pull_request.closed docs#1',
    'pull_request.reopened docs#1',
    'pull_request.branch_deleted docs#1',
    `agent_job.message_sent docs/${id}`,
    `agent_job.archived docs/${id}`,
    'agent_job.requested docs',
  ])
  expect(events[0]).toMatchObject({ actor: { kind: 'person', name: 'The operator' }, details: { via: 'code host' } })
})

test('a change without effect is not audited, and without its audit row no change happens', async () => {
  const { userId, cookie } = await signedIn(app.db, 'operator', { now: clock.ms })
  const pass = await passFor({ cookie })
  expect(await attempt(pass, merge, false)).toEqual([true, 1])
  expect(await readAudit(`action=pull_request.merged&actorId=${userId}`)).toEqual([])
  await app.db.execute(
    sql`alter table audit_events add constraint no_merge check (action <> 'pull_request.merged') not valid`,
  )
  let runs = 0
  const run = () => Promise.resolve((runs += 1) > 0)
  await expect(codeHost.admit(pass, merge, run)).rejects.toThrow()
  await app.db.execute(sql`alter table audit_events drop constraint no_merge`)
  expect(runs).toBe(0)
})

test('a pass that was changed, has expired or is from another start admits nothing, and the audit says that it was tried', async () => {
  const pass = await passFor()
  expect(await attempt(pass)).toEqual([true, 1])
  const [expiresAt = '', sessionId = '', signature = ''] = pass.split('.')
  const other = await signedIn(app.db, 'admin', { now: clock.ms })
  const changed = [
    '',
    `${pass}x`,
    pass.slice(0, -1) + (pass.endsWith('A') ? 'B' : 'A'),
    `${Number(expiresAt) + 1}.${sessionId}.${signature}`,
    `${expiresAt}.${other.sessionId}.${signature}`,
    `${expiresAt}.${sessionId}.${'A'.repeat(43)}`,
    openPasses(() => clock.ms).make(sessionId),
  ]
  for (const each of changed) expect([each, await attempt(each)]).toEqual([each, refused])
  const restarted = await testApp({ ...options, database: { db: app.db, url: app.databaseUrl } })
  expect(await attempt(pass, merge, true, restarted.services.codeHost)).toEqual(refused)
  await restarted.close()
  clock.ms += passMs
  expect(await attempt(pass)).toEqual(refused)
  await app.services.refusals.stop()
  const [event] = await readAudit('action=request.refused&q=nobody')
  expect(event).toMatchObject({ actor: { kind: 'nobody' }, details: { route: 'code host: merge', code: 'forbidden' } })
})

test('a pass ends with the session, the role and the account it is for', async () => {
  const admin = await signedIn(app.db, 'admin', { now: clock.ms })
  const as = { cookie: admin.cookie }
  const holder = async () => {
    const person = await signedIn(app.db, 'operator', { now: clock.ms })
    const pass = await passFor({ cookie: person.cookie })
    expect(await attempt(pass)).toEqual([true, 1])
    return { ...person, pass }
  }
  const signedOut = await holder()
  expect((await app.delete('/api/session', { cookie: signedOut.cookie })).status).toBeLessThan(300)
  expect(await attempt(signedOut.pass)).toEqual(refused)
  for (const change of [{ role: 'viewer' }, { disabled: true }]) {
    const { userId, pass } = await holder()
    expect((await app.send('PATCH', `/api/users/${userId}`, change, as)).status).toBe(200)
    expect(await attempt(pass)).toEqual(refused)
  }
})

test('no pass is in the log or in the audit', async () => {
  const pass = await passFor()
  await attempt(pass)
  await attempt(`${pass}x`)
  const [signature = ''] = pass.split('.').toReversed()
  const audit = await (await app.get('/api/audit/export?format=jsonl')).text()
  expect(audit).toContain('code_host.opened')
  expect(audit + app.logged()).not.toContain(signature)
})

test('a Docket without a code host of its own has no page to open', async () => {
  const connected = await testApp()
  expect((await connected.get('/api/code-host/open?to=/')).status).toBe(404)
  await connected.close()
})

test('a change that finds the database away is refused by the deadline, with a sentence that holds no query', async () => {
  const pass = await passFor()
  const holder = await app.db.$client.connect()
  await holder.query('begin; lock table sessions')
  await expect(attempt(pass)).rejects.toThrow(
    /^Docket can’t reach its database right now\. Nothing changed\. Try again\.$/,
  )
  await holder.query('rollback')
  holder.release()
  expect(await attempt(pass)).toEqual([true, 1])
})
