import { generateKeyPairSync } from 'node:crypto'
import { AgentJob } from '@docket/api-types/agent-jobs'
import { AuditList } from '@docket/api-types/audit'
import { CodeHostCheck, ConnectionCodeHost } from '@docket/api-types/connection-code-hosts'
import { ConnectionList } from '@docket/api-types/connections'
import { History } from '@docket/api-types/history'
import { canary, type Kind, startCodeHost } from '@docket/code-hosts/testing/code-host-servers'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { codeHosts } from '#service/connections/code-hosts.table.ts'
import { reencryptSealedKeys } from '#ground/secret/sealed-keys.ts'
import { decryptText } from '#ground/secret/encrypted-text.ts'
import { testConnectionId } from '#testing/connection.ts'
import { testSecret } from '#testing/instance.ts'
import { testApp, type TestAppOptions } from '#testing/test-app.ts'

type Instead = Parameters<typeof startCodeHost>[2]

const minuteMs = 60_000
const kinds = ['github', 'gitlab', 'gitea'] as const
const codeHostsPath = `/api/connections/${testConnectionId}/code-hosts`

/** A Docket whose connection has finished jobs, and a code host. The clock stands still until `later`. */
const docket = async (options: TestAppOptions & { kind?: Kind; instead?: Instead } = {}) => {
  const { kind = 'github', instead, ...rest } = options
  const host = await startCodeHost(kind, null, instead)
  let nowMs = Date.now()
  const app = await testApp({ now: () => nowMs, ...rest })
  onTestFinished(app.close)
  const watcher = () => app.services.records.connections.all()[0]!.pullRequests
  const pull = {
    number: 7,
    branch: 'docs/fix',
    base: 'main',
    title: 'Fix a link',
    state: 'open',
    merged: false,
  } as const
  host.pulls.push({ ...pull, check: 'success', conflicts: false })
  const follow = (id: string, link: string, more = '') =>
    app.db.execute(sql`insert into agent_jobs (connection_id, project_id, id, status, pr_link, followed_at, finished_at)
      values (${testConnectionId}, 'docs', ${id}, 'completed', ${link}, now(), ${new Date(nowMs)}) ${sql.raw(more)}`)
  const job = async (id: string) => {
    const { rows } = await app.db.execute<Record<string, unknown>>(sql`select pull_request_state as state,
      pull_request_checks as checks, pull_request_mergeable as mergeable, pull_request_title as title,
      pull_request_number as number, pull_request_known_from as from, list_group as group, revision
      from agent_jobs where id = ${id}`)
    return rows[0]!
  }
  const problem = async (id: string) => {
    const { rows } = await app.db.execute<{ problem: string | null }>(
      sql`select problem from pull_request_reads where id = ${id}`,
    )
    return rows[0]?.problem
  }
  return {
    ...app,
    host,
    pull,
    follow,
    job,
    problem,
    watcher,
    pass: () => watcher().pass(),
    later: (ms: number) => void (nowMs += ms),
    add: async (token = canary, url = host.url) => {
      const response = await app.post(codeHostsPath, { kind, url, token })
      expect([response.status, await response.clone().text()]).toEqual([201, expect.anything()])
      return ConnectionCodeHost.parse(await response.json())
    },
    codeHosts: async () => {
      const { items } = ConnectionList.parse(await (await app.get('/api/connections')).json())
      return items.find(({ connectionId }) => connectionId === testConnectionId)!.codeHosts!
    },
  }
}

test.each(kinds)('a ready pull request on %s is read until it is merged, and not afterwards', async (kind) => {
  const app = await docket({ kind })
  await app.add()
  await app.follow('one', app.host.toPage(7))
  await app.pass()
  const read = { state: 'open', checks: 'passing', mergeable: true, title: 'Fix a link', number: 7, from: 'code_host' }
  expect(await app.job('one')).toMatchObject({ ...read, group: 'pull_request_ready' })
  const calls = app.host.requests.length
  await app.pass()
  expect(app.host.requests).toHaveLength(calls)
  const { revision } = await app.job('one')
  app.later(minuteMs)
  await app.pass()
  expect(app.host.requests.length).toBeGreaterThan(calls)
  // Nothing visible changed.
  expect(await app.job('one')).toMatchObject({ revision })
  app.host.pulls[0] = { ...app.pull, state: 'closed', merged: true }
  app.later(minuteMs)
  await app.pass()
  expect(await app.job('one')).toMatchObject({ state: 'merged', group: 'merged' })
  const history = History.parse(await (await app.get('/api/agent-jobs/docs/one/history')).json())
  expect(history.events.map(({ kind }) => kind)).toEqual(['pull_request_merged'])
  const all = app.host.requests.length
  app.later(48 * 60 * minuteMs)
  await app.pass()
  expect(app.host.requests).toHaveLength(all)
})

test('a state reported by the service is never read from the code host, and it replaces a mark set by a person', async () => {
  const app = await docket()
  await app.add()
  await app.follow('service', app.host.toPage(7))
  await app.follow('person', app.host.toPage(7))
  await app.db.execute(
    sql`update agent_jobs set pull_request_state = 'draft', pull_request_known_from = 'service' where id = 'service'`,
  )
  await app.db.execute(
    sql`update agent_jobs set pull_request_state = 'merged', pull_request_known_from = 'person' where id = 'person'`,
  )
  await app.pass()
  expect(await app.job('service')).toMatchObject({ state: 'draft', from: 'service' })
  expect(app.host.requests.filter(({ path }) => path.endsWith('/pulls/7'))).toHaveLength(1)
  expect(await app.job('person')).toMatchObject({ state: 'open', from: 'code_host' })
})

test('a link that is not exactly below the code host is not read, and its host is never called', async () => {
  const app = await docket()
  const other = await startCodeHost('github', null)
  await app.add()
  await app.follow('elsewhere', other.toPage(7))
  await app.follow('longer', `${app.host.url}.evil.example/acme/handbook/pull/7`)
  await app.follow('user', app.host.toPage(7).replace('//', '//me@'))
  await app.follow('page', `${app.host.url}/acme/handbook/settings`)
  await app.pass()
  for (const id of ['elsewhere', 'longer', 'user', 'page'])
    expect([id, (await app.job(id))['state']]).toEqual([id, null])
  expect(await app.problem('page')).toContain('isn’t the page of a pull request')
  expect([...app.host.requests, ...other.requests]).toEqual([])
})

test('a missing or forbidden pull request keeps its last state, shows a reason, and is read rarely', async () => {
  let status = 200
  const app = await docket({ instead: (_, really) => (status === 200 ? null : { ...really(), status }) })
  await app.add()
  await app.follow('one', app.host.toPage(7))
  await app.pass()
  for (status of [404, 403]) {
    app.later(24 * 60 * minuteMs)
    const calls = app.host.requests.length
    await app.pass()
    await app.pass()
    app.later(30 * minuteMs)
    await app.pass()
    expect(app.host.requests).toHaveLength(calls + 1)
    expect(await app.problem('one')).toMatch(status === 404 ? /no pull request 7/ : /does not let the token/)
    const { pullRequest } = AgentJob.parse(await (await app.get('/api/agent-jobs/docs/one')).json())
    expect(pullRequest?.problem).toBe(await app.problem('one'))
    expect(await app.job('one')).toMatchObject({ state: 'open' })
  }
})

test('a rate limit or a rejected token pauses every call with that token, for all replicas', async () => {
  let answer: ReturnType<NonNullable<Instead>> = { status: 429, json: {}, headers: { 'retry-after': '300' } }
  const app = await docket({ instead: () => answer })
  const { codeHostId } = await app.add()
  for (const id of ['one', 'two', 'three']) await app.follow(id, app.host.toPage(7))
  await app.pass()
  await app.pass()
  expect(app.host.requests).toHaveLength(1)
  expect((await app.codeHosts())[0]).toMatchObject({
    problem: expect.stringContaining('asked too often'),
    pausedUntil: expect.anything(),
  })
  app.later(5 * minuteMs)
  // Years, by a wrong clock, become an hour.
  answer = { status: 429, json: {}, headers: { 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' } }
  await app.pass()
  app.later(60 * minuteMs)
  answer = { status: 401, json: { message: 'Bad credentials' } }
  await app.pass()
  app.later(30 * minuteMs)
  await app.pass()
  expect(app.host.requests).toHaveLength(3)
  // A new token is used at once.
  answer = null
  expect((await app.send('PATCH', `${codeHostsPath}/${codeHostId}`, { token: canary })).status).toBe(200)
  await app.pass()
  for (const id of ['one', 'two', 'three']) expect(await app.job(id)).toMatchObject({ state: 'open' })
  expect((await app.codeHosts())[0]).toMatchObject({ problem: null, pausedUntil: null })
})

test('several replicas together read a pull request only once', async () => {
  const app = await docket()
  await app.add()
  for (let id = 0; id < 6; id += 1) await app.follow(`job-${id}`, app.host.toPage(7))
  const second = await testApp({ database: app, now: Date.now })
  onTestFinished(second.close)
  await Promise.all([app.pass(), second.services.records.connections.all()[0]!.pullRequests.pass(), app.pass()])
  await app.pass()
  expect(app.host.requests.filter(({ path }) => path.endsWith('/pulls/7'))).toHaveLength(6)
})

test('the pull request of a job on screen is read again after a minute, and at once after a follow-up or a new link', async () => {
  const app = await docket()
  await app.add()
  await app.follow('one', app.host.toPage(7))
  const reads = () => app.host.requests.filter(({ path }) => /\/pulls\/\d+$/.test(path)).length
  await app.pass()
  app.later(6 * 60 * minuteMs)
  await app.pass()
  app.later(minuteMs)
  await app.pass()
  expect(reads()).toBe(2)
  app.watcher().note([{ projectId: 'docs', id: 'one' }])
  await app.pass()
  expect(reads()).toBe(3)
  app.watcher().note([{ projectId: 'docs', id: 'one' }])
  await app.pass()
  expect(reads()).toBe(3)
  await app.db.execute(sql`update agent_jobs set finished_at = finished_at + interval '1 second'`)
  await app.pass()
  expect(reads()).toBe(4)
  app.host.pulls.push({ ...app.pull, number: 8, title: 'Another' })
  await app.db.execute(sql`update agent_jobs set pr_link = ${app.host.toPage(8)}`)
  await app.pass()
  expect(await app.job('one')).toMatchObject({ number: 8, title: 'Another' })
})

test('the token of LOCAL_CODE_HOST is used for the embedded connection, and is stored only in the environment', async () => {
  const host = await startCodeHost('gitea', null)
  const app = await docket({
    mode: 'local',
    ownCodeHosts: [{ kind: 'gitea', url: `${host.url}/`, token: () => canary }],
  })
  host.pulls.push({ ...app.pull, state: 'closed', merged: true })
  await app.follow('one', host.toPage(7))
  await app.pass()
  expect(await app.job('one')).toMatchObject({ state: 'merged', from: 'code_host' })
  const [own] = await app.codeHosts()
  expect(own).toMatchObject({ url: host.url, from: 'environment', addedBy: null })
  expect((await app.delete(`${codeHostsPath}/${own!.codeHostId}`)).status).toBe(409)
})

test('every code host from the environment is read, and one for an owner takes precedence over one for the whole host', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  const expiresAt = new Date(Date.now() + 60 * minuteMs).toISOString()
  const ofApp = { id: '12', publicKey, installationId: 77, token: 'none', expiresAt }
  const [github, gitlab] = [
    await startCodeHost('github', null, undefined, undefined, ofApp),
    await startCodeHost('gitlab', null),
  ]
  const app = await docket({
    mode: 'local',
    ownCodeHosts: [
      { kind: 'github', url: github.url, token: () => 'not for acme' },
      { kind: 'github', url: github.url, path: 'acme', app: { id: '12', privateKey: () => pem, installationId: null } },
      { kind: 'gitlab', url: gitlab.url, token: () => canary },
    ],
  })
  for (const host of [github, gitlab]) host.pulls.push({ ...app.pull, state: 'closed', merged: true })
  await app.follow('github', github.toPage(7))
  await app.follow('gitlab', gitlab.toPage(7))
  await app.pass()
  expect(await app.job('github')).toMatchObject({ state: 'merged', from: 'code_host' })
  expect(await app.job('gitlab')).toMatchObject({ state: 'merged', from: 'code_host' })
})

test('Check now also reads the code host, even if the pull request was closed, and once for a double click', async () => {
  const app = await docket()
  await app.add()
  await app.follow('one', app.host.toPage(7))
  app.host.pulls[0] = { ...app.pull, state: 'closed' }
  await app.pass()
  expect(await app.job('one')).toMatchObject({ state: 'closed' })
  app.host.pulls[0] = { ...app.pull }
  app.later(minuteMs)
  const calls = app.host.requests.length
  const check = async () => AgentJob.parse(await (await app.post('/api/agent-jobs/docs/one/check')).json())
  expect((await check()).pullRequest).toMatchObject({ state: 'open', knownFrom: 'code_host', number: 7 })
  const once = app.host.requests.length - calls
  await check()
  expect(app.host.requests.length - calls).toBe(once)
})

test('without a token, an open pull request is not checked, and a person may mark its state', async () => {
  const app = await docket()
  const { codeHostId } = await app.add()
  await app.follow('one', app.host.toPage(7))
  await app.pass()
  const mark = () => app.post('/api/agent-jobs/docs/one/pull-request', { state: 'merged' })
  expect((await mark()).status).toBe(409)
  const { revision } = await app.job('one')
  expect((await app.delete(`${codeHostsPath}/${codeHostId}`)).status).toBe(204)
  expect(await app.job('one')).toMatchObject({ state: null, checks: null, from: null, group: 'pull_request_ready' })
  expect((await app.job('one'))['revision']).not.toBe(revision)
  expect((await mark()).status).toBe(200)
})

test('admins add, test, replace and remove tokens, and every step is audited', async () => {
  const app = await docket({ kind: 'gitlab' })
  const { codeHostId } = await app.add('wrong', `${app.host.url}/api/v4/`)
  const path = `${codeHostsPath}/${codeHostId}`
  const check = async () => CodeHostCheck.parse(await (await app.post(`${path}/check`)).json())
  expect(await check()).toMatchObject({
    outcome: 'rejected',
    message: expect.stringContaining('Settings › Connections'),
  })
  expect((await app.post(codeHostsPath, { kind: 'gitlab', url: app.host.url, token: 'x' })).status).toBe(409)
  expect((await app.send('PATCH', path, { token: canary })).status).toBe(200)
  expect(await check()).toMatchObject({ outcome: 'accepted' })
  expect((await app.delete(path)).status).toBe(204)
  expect(await app.codeHosts()).toEqual([])
  const { items } = AuditList.parse(await (await app.get('/api/audit')).json())
  expect(items.map(({ action }) => action).filter((action) => action.includes('code_host'))).toEqual([
    'connection.code_host_removed',
    'connection.code_host_tested',
    'connection.code_host_token_replaced',
    'connection.code_host_tested',
    'connection.code_host_added',
  ])
  for (const url of [
    'http://git.example.com',
    'https://me:x@git.example.com',
    'ftp://x',
    'git.example.com',
    'https://a.example?x=1',
  ])
    expect([url, (await app.post(codeHostsPath, { kind: 'gitea', url, token: 'x' })).status]).toEqual([url, 400])
})

test('the token appears in no answer, log, audit or row, whatever the code host sends back', async () => {
  const app = await docket({
    instead: (request) => ({ status: 403, json: { message: `no: ${request.headers.authorization} ${canary}` } }),
  })
  const { codeHostId } = await app.add()
  await app.follow('one', app.host.toPage(7))
  await app.pass()
  const path = `${codeHostsPath}/${codeHostId}`
  const answers = [
    await (await app.post(`${path}/check`)).text(),
    await (await app.send('PATCH', path, { token: `${canary} with a space` })).text(),
    await (await app.send('PATCH', path, { token: canary })).text(),
    ...(await Promise.all(
      ['/api/connections', '/api/audit', '/api/agent-jobs', '/api/status'].map(async (at) =>
        (await app.get(at)).text(),
      ),
    )),
  ]
  expect(app.host.requests.length).toBeGreaterThan(0)
  const { rows } = await app.db.execute<{ text: string }>(sql`
    select code_hosts::text as text from code_hosts union all select pull_request_reads::text from pull_request_reads
    union all select audit_events::text from audit_events`)
  expect(rows.length).toBeGreaterThan(3)
  expect(`${answers.join('')}${app.logged()}${rows.map(({ text }) => text).join('')}`).not.toContain(canary)
})

test('a new instance secret re-encrypts the tokens, and a token that no secret can decrypt is kept and requested again', async () => {
  const app = await docket()
  await app.add()
  const ring = { secret: 'another-secret-of-this-docket-0123456789', previousSecret: null }
  const sealed = async () => (await app.db.select().from(codeHosts))[0]!.sealedToken!
  await app.db.transaction((tx) => reencryptSealedKeys(tx, ring, [testSecret]))
  expect(decryptText(ring, await sealed())).toBe(canary)
  await app.db.transaction((tx) => reencryptSealedKeys(tx, { ...ring, secret: 'a-third-secret-0123456789' }, []))
  expect(
    decryptText({ ...ring, secret: 'a-third-secret-0123456789', previousSecret: ring.secret }, await sealed()),
  ).toBe(canary)
  await app.follow('one', app.host.toPage(7))
  await app.pass()
  expect((await app.codeHosts())[0]).toMatchObject({
    from: 'stored',
    problem: expect.stringContaining('Enter it again'),
  })
  expect(app.host.requests).toEqual([])
})

test('a removed connection keeps no token', async () => {
  const app = await docket()
  await app.add()
  await app.db.execute(sql`update connections set source = 'settings' where connection_id = ${testConnectionId}`)
  await app.services.service.registry.refresh()
  expect((await app.delete(`/api/connections/${testConnectionId}`)).status).toBe(204)
  const { rows } = await app.db.execute(sql`select from code_hosts`)
  expect(rows).toEqual([])
})
