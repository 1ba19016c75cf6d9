import { execFile } from 'node:child_process'
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AgentJob } from '@docket/api-types/agent-jobs'
import { AuditList } from '@docket/api-types/audit'
import { CodeHostProjects, CodeHostPull, CodeHostPulls, CodeHostCommit } from '@docket/api-types/code-host'
import { localAdminApi } from '@docket/local-admin-api'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { testConnectionId } from '#testing/connection.ts'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'
import { testDatabase } from '#testing/database.ts'

const run = promisify(execFile)
const key = 'local_0123456789'
const place = await mkdtemp(join(tmpdir(), 'docket-code-host-'))
await mkdir(join(place, 'site'))
await writeFile(join(place, 'site', 'index.md'), 'one two three\n')
await mkdir(join(place, 'other'))
await writeFile(join(place, 'other', 'index.md'), 'one two three\n')
const database = await testDatabase()
const api = await localAdminApi({
  database: database.db,
  dataDir: join(place, 'data'),
  sites: {},
  projects: { docs: join(place, 'site'), other: join(place, 'other') },
  key,
})
const { codeHost } = api
const local = { domains: [], projectIds: ['docs', 'other'] }
const publicUrl = new URL('https://docket.example.com')
const options = { mode: 'local', local, codeHost, upstream: { url: api.url, key } } as const
const app = await testApp(options)
afterAll(async () => {
  await app.close()
  await api.close()
  await database.drop()
  await rm(place, { recursive: true, force: true })
})

const ask = (path: string, body?: object) =>
  fetch(api.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
/** Runs a job to its end. Returns its id and its pull request. */
const openPull = async (from: string, to: string, projectId = 'docs') => {
  const created = await ask(`/v2/agent/${projectId}/job`, {
    maintenance: { action: 'replace', find: from, replacement: to },
  })
  expect(created.status).toBe(201)
  const { id } = (await created.json()) as { id: string }
  const read = async () =>
    (await (await ask(`/v2/agent/${projectId}/job/${id}`)).json()) as { status: string; prLink: string }
  await expect.poll(async () => (await read()).status).toBe('completed')
  const number = Number((await read()).prLink.split('/').at(-1))
  return { id, number, ...(await codeHost.readPull(projectId, number))!.changes.commits.at(-1)! }
}
type Headers = Parameters<typeof app.get>[1]
const readPull = async (number: number) =>
  CodeHostPull.parse(await (await app.get(`/api/code-host/docs/pulls/${number}`)).json())
const act = (number: number, action: string, head: string, headers: Headers = {}) =>
  app.post(`/api/code-host/docs/pulls/${number}/${action}`, { head }, headers)
const readAudit = async (query: string) => AuditList.parse(await (await app.get(`/api/audit?${query}`)).json()).items

// A job starts some hundred processes of git, so its pull request serves several tests, in their order.
let opened: ReturnType<typeof openPull> | undefined
const sharedPull = () => (opened ??= openPull('one', '1'))

test('viewers and read-only tokens cannot change anything, and a project outside the scope of the caller is not found', async () => {
  const { number, hash } = await sharedPull()
  const viewer = await signedIn(app.db, 'viewer')
  const auditor = await signedIn(app.db, 'auditor')
  const reading = await makeToken(app, { scope: 'read' })
  for (const headers of [{ cookie: viewer.cookie }, { cookie: auditor.cookie }, reading.bearer] as Headers[]) {
    expect((await app.get(`/api/code-host/docs/pulls/${number}`, headers)).status).toBe(200)
    for (const action of ['merge', 'close', 'reopen', 'delete-branch'])
      expect([action, (await act(number, action, hash, headers)).status]).toEqual([action, 403])
  }
  const elsewhere = await makeToken(app, { projectIds: ['other'] })
  const list = CodeHostProjects.parse(await (await app.get('/api/code-host', elsewhere.bearer)).json())
  expect(list.projects.map(({ projectId }) => projectId)).toEqual(['other'])
  for (const path of ['/docs', `/docs/pulls/${number}`, `/docs/commits/${hash}`])
    expect([path, (await app.get(`/api/code-host${path}`, elsewhere.bearer)).status]).toEqual([path, 404])
  expect((await act(number, 'merge', hash, elsewhere.bearer)).status).toBe(404)
  // A role at another connection only, and one that may only view this one.
  const guest = await signedIn(app.db, 'none')
  const grant = (role: string, connection: string) =>
    app.db.execute(
      sql`insert into grants (user_id, role, connection_id) values (${guest.userId}, ${role}, ${connection})`,
    )
  const as = { cookie: guest.cookie }
  const added = await app.db.execute<{ connection_id: string }>(
    sql`insert into connections (name, kind, source, base_url, deployment_kind, calls_per_hour, timeout_ms, agent_job_creation)
        values ('Else', 'service', 'settings', 'https://else.example', 'cloud', 1, 1000, true) returning connection_id`,
  )
  await grant('operator', added.rows[0]!.connection_id)
  expect((await app.get('/api/code-host/docs', as)).status).toBe(404)
  await grant('viewer', testConnectionId)
  expect((await app.get('/api/code-host/docs', as)).status).toBe(200)
  expect((await act(number, 'merge', hash, as)).status).toBe(403)
  expect((await readPull(number)).state).toBe('open')
  const operating = await makeToken(app, { projectIds: ['docs'] })
  for (const action of ['close', 'reopen']) expect((await act(number, action, hash, operating.bearer)).status).toBe(200)
})

test('a merge is audited with the commit that the person saw, and a repeated or refused merge is not audited', async () => {
  const { id, number, hash } = await sharedPull()
  const { userId, cookie } = await signedIn(app.db, 'operator')
  const moved = await act(number, 'merge', '0'.repeat(40), { cookie })
  expect([moved.status, await moved.json()]).toEqual([
    409,
    expect.objectContaining({ code: 'conflict', message: expect.stringContaining('has changed since') as unknown }),
  ])
  const merged = await act(number, 'merge', hash, { cookie })
  expect(CodeHostPull.parse(await merged.json())).toMatchObject({
    state: 'merged',
    head: hash,
    job: { connectionId: testConnectionId, id, title: 'Replace “one” with “1”' },
    changes: { total: 1, diff: { totals: { files: 1, added: 1, removed: 1 } } },
  })
  expect((await act(number, 'merge', hash, { cookie })).status).toBe(200)
  expect((await act(number, 'close', hash, { cookie })).status).toBe(409)
  const events = await readAudit(`actorId=${userId}`)
  expect(events).toMatchObject([
    {
      action: 'pull_request.merged',
      actor: { name: 'The operator' },
      target: { name: `docs#${number}` },
      details: { head: hash },
    },
  ])
  for (const [path, schema] of [
    ['', CodeHostProjects],
    ['/docs?state=all', CodeHostPulls],
    [`/docs/commits/${hash}`, CodeHostCommit],
  ] as const)
    schema.parse(await (await app.get(`/api/code-host${path}`)).json())
})

test('the job of a merged pull request is read at once, and links to it lead to Docket even if its address has changed', async () => {
  const { id, number, hash } = await openPull('two', '2')
  const row = { projectId: 'docs', id }
  expect((await app.post('/api/agent-jobs', { jobs: [row] })).status).toBe(200)
  const readJob = async (from = app) => AgentJob.parse(await (await from.get(`/api/agent-jobs/docs/${id}`)).json())
  const before = await readJob()
  expect(before.prLink).toEqual({
    text: `/code/docs/pulls/${number}`,
    href: `/code/docs/pulls/${number}`,
    host: null,
    label: `docs#${number}`,
  })
  expect(before.source.repository?.href).toBe('/code/docs')
  await act(number, 'merge', hash)
  expect(Date.parse((await readJob()).checkedAt!)).toBeGreaterThan(Date.parse(before.checkedAt!))

  // As earlier versions stored it.
  await app.db.execute(sql`update agent_jobs set pr_link = ${`http://127.0.0.1:9/docket/docs/pulls/${number}`}`)
  const published = await testApp({ ...options, publicUrl, database: { db: app.db, url: app.databaseUrl } })
  const sent = await published.get(`/api/agent-jobs/docs/${id}`, { host: publicUrl.host })
  expect(AgentJob.parse(await sent.json()).prLink).toMatchObject({
    text: `https://docket.example.com/code/docs/pulls/${number}`,
    href: `/code/docs/pulls/${number}`,
  })
  await published.close()
})

test('nothing changes without an audit row, and an unavailable database is reported before any change', async () => {
  const { number, hash } = await openPull('one', 'I', 'other')
  const merge = () => app.post(`/api/code-host/other/pulls/${number}/merge`, { head: hash })
  const readState = async () => (await codeHost.readPull('other', number))?.state
  await app.db.execute(
    sql`alter table audit_events add constraint no_merge check (action <> 'pull_request.merged') not valid`,
  )
  expect((await merge()).status).toBe(500)
  await app.db.execute(sql`alter table audit_events drop constraint no_merge`)
  expect(await readState()).toBe('open')

  const impatient = await testApp({ ...options, databaseWaitMs: 500, database: { db: app.db, url: app.databaseUrl } })
  await impatient.get('/api/session')
  const holder = await app.db.$client.connect()
  await holder.query('begin; lock table audit_events')
  const late = await impatient.post(`/api/code-host/other/pulls/${number}/merge`, { head: hash })
  expect([late.status, ((await late.json()) as { message: string }).message]).toEqual([
    503,
    expect.stringContaining('Docket can’t reach its database right now.'),
  ])
  await holder.query('rollback')
  holder.release()
  await impatient.close()
  expect(await readState()).toBe('open')
  expect((await merge()).status).toBe(200)
  expect(await readState()).toBe('merged')
})

test('the folder is written only when an operator asks, with an audit row, and never overwrites manual changes', async () => {
  const readFolder = async () => CodeHostPulls.parse(await (await app.get('/api/code-host/other')).json()).folder!
  const { main } = await readFolder()
  expect(await readFolder()).toMatchObject({ behind: 1, canUpdate: true })
  const file = join(place, 'other', 'index.md')
  expect(await readFile(file, 'utf8')).toBe('one two three\n')
  const { userId, cookie } = await signedIn(app.db, 'operator')
  const viewer = await signedIn(app.db, 'viewer')
  const update = (commit: string, headers: Headers) =>
    app.post('/api/code-host/other/folder', { main: commit }, headers)
  expect((await update(main, { cookie: viewer.cookie })).status).toBe(403)
  expect((await update('0'.repeat(40), { cookie })).status).toBe(409)
  await writeFile(file, 'a person\n')
  const refused = await update(main, { cookie })
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { message: expect.stringContaining('index.md') as unknown },
  ])
  await writeFile(file, 'one two three\n')
  expect(await (await update(main, { cookie })).json()).toMatchObject({ behind: 0, canUpdate: false })
  expect(await readFile(file, 'utf8')).toBe('I two three\n')
  expect(await readAudit(`actorId=${userId}`)).toMatchObject([
    { action: 'code_host.folder_updated', target: { name: 'other' }, details: { main } },
  ])
})

test('an invalid number, hash or project is rejected or not found, and a Docket without a code host returns a clear error', async () => {
  const status = async (path: string) => (await app.get(`/api/code-host${path}`)).status
  for (const path of [
    '/docs/pulls/0',
    '/docs/pulls/1e3',
    '/docs/commits/main',
    '/docs?state=constructor',
    '/docs?before=-1',
  ])
    expect([path, await status(path)]).toEqual([path, 400])
  for (const path of ['/nobody', '/docs/pulls/999999999', `/docs/commits/${'0'.repeat(40)}`, '/..%2fdocs'])
    expect([path, await status(path)]).toEqual([path, 404])
  const connected = await testApp()
  const answer = await connected.get('/api/code-host')
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('no embedded code host')])
  await connected.close()
})

const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
const cloneAs = (token: string, to: string, projectId = 'docs') => {
  const url = new URL(`/git/${projectId}.git`, app.url)
  url.username = 'git'
  url.password = token
  return run('git', ['clone', '--quiet', url.href, to], { env })
}

test('git can clone and fetch with an API token as the password, and cannot push', async () => {
  const { token } = await makeToken(app, { scope: 'read', projectIds: ['docs'] })
  const clone = join(place, 'clone')
  await cloneAs(token, clone)
  expect(await readFile(join(clone, 'index.md'), 'utf8')).toContain('1 2')
  const { number, hash } = await sharedPull()
  await run('git', ['-C', clone, 'fetch', '--quiet', 'origin', `refs/pull/${number}/head`], { env })
  expect((await run('git', ['-C', clone, 'rev-parse', 'FETCH_HEAD'])).stdout.trim()).toBe(hash)
  await expect(run('git', ['-C', clone, 'push', '--quiet', 'origin', 'HEAD:main'], { env })).rejects.toThrow(/403/)
  await expect(cloneAs(token, join(place, 'no'), 'other')).rejects.toThrow(/not found/)
  await expect(cloneAs('docket_wrong', join(place, 'no'))).rejects.toThrow(/Authentication failed|terminal prompts/)
})

test('git with a cookie, without a token or with an invalid token gets a 401 that asks for a password', async () => {
  const refs = '/git/docs.git/info/refs?service=git-upload-pack'
  for (const headers of [{}, { cookie: undefined }, { authorization: 'Basic bm9ib2R5' }] as Headers[]) {
    const answer = await app.get(refs, headers)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Docket"'])
  }
  const { token } = await makeToken(app)
  const authorization = `Basic ${btoa(`x:${token}`)}`
  expect((await app.get(refs, { authorization })).headers.get('cache-control')).toBe('no-store')
  for (const path of [
    '/git/docs/info/refs',
    '/git/docs.git/config',
    '/git/docs.git/HEAD',
    '/git/..%2fdocs.git/info/refs',
  ])
    expect([path, (await app.get(`${path}?service=git-upload-pack`, { authorization })).status]).toEqual([path, 404])
  expect((await app.post('/git/docs.git/git-receive-pack', '0000', { authorization })).status).toBe(404)
  const bomb = { authorization, 'content-encoding': 'gzip', 'content-type': 'application/x-git-upload-pack-request' }
  expect((await app.post('/git/docs.git/git-upload-pack', 'no gzip', bomb)).status).toBe(400)
})
