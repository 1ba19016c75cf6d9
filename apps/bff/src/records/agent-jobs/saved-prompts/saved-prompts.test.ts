import { randomUUID } from 'node:crypto'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { AuditList } from '@docket/api-types/audit'
import { SavedPrompt, SavedPromptRun, SavedPrompts } from '@docket/api-types/saved-prompts'
import { expect, test } from 'vitest'
import { agentJobsApp } from '#records/agent-jobs/testing/agent-jobs-app.ts'
import { wireJob } from '#records/agent-jobs/testing/stand-in.ts'
import { signedIn } from '#testing/people.ts'
import { makeToken } from '#testing/tokens.ts'
import { fillPlaceholders, findPlaceholders } from './saved-prompts.ts'
import { savedPrompts } from './saved-prompts.table.ts'

const path = '/api/saved-prompts'
const rename = { title: 'Rename a product', text: 'Replace “{{old name}}” with “{{new}}”, not {{ $t("x") }}.' }

const library = async () => {
  const docket = await agentJobsApp()
  const { whole, upstream } = docket
  upstream.onPost((_, place) => ({ status: 201, body: wireJob({ id: `job_${place}` }) }))
  const save = (body: object = {}, headers = {}) => whole.post(path, { ...rename, ...body }, headers)
  return {
    ...docket,
    save,
    saved: async (body: object = {}) => SavedPrompt.parse(await (await save(body)).json()),
    list: async (headers = {}) => SavedPrompts.parse(await (await whole.get(path, headers)).json()).items,
    change: (promptId: string, body: object) => whole.send('PATCH', `${path}/${promptId}`, body),
    run: (promptId: string, body: object, headers = {}) =>
      whole.post(`${path}/${promptId}/runs`, { requestId: randomUUID(), projectIds: ['docs'], ...body }, headers),
  }
}

const readRun = async (response: Response) => SavedPromptRun.parse(await response.json()).results
const readError = async (response: Response) => ApiErrorBody.parse(await response.json())

test('a placeholder is a name in double braces, and its value is inserted as plain text', () => {
  expect(findPlaceholders('{{ a }} {{b c}} {{a}} {{}} {{ }} {{$x}} {d} {{{e}}} {{ f(1) }}')).toEqual(['a', 'b c', 'e'])
  expect(fillPlaceholders('{{a}}, {{ b }}, {{a}}', { a: '{{b}} $& $1', b: 'two' })).toBe(
    '{{b}} $& $1, two, {{b}} $& $1',
  )
  expect(fillPlaceholders('{{__proto__}}', JSON.parse('{"__proto__":"x"}') as object as Record<string, string>)).toBe(
    'x',
  )
  expect(() => fillPlaceholders('{{a}}', { a: '  ' })).toThrow('Fill in “a”.')
  expect(() => fillPlaceholders('{{toString}}', {})).toThrow('Fill in “toString”.')
  expect(() => fillPlaceholders('{{a}}', { a: 'x', b: 'y' })).toThrow('no placeholder “b”')
  expect(() => fillPlaceholders('{{a}}{{a}}', { a: 'x'.repeat(6_000) })).toThrow('longer than 10000')
})

test('a team saves, changes and deletes prompts, and an outdated version never overwrites a newer one', async () => {
  const { whole, save, saved, list, change } = await library()
  const first = await saved()
  expect(first).toMatchObject({ ...rename, placeholders: ['old name', 'new'], version: 1, changedBy: 'The admin' })
  expect(await readError(await save({ title: 'RENAME a product' }))).toMatchObject({ code: 'conflict', field: 'title' })
  const { promptId } = first
  const both = await Promise.all(['one', 'two'].map((text) => change(promptId, { text, version: 1 })))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await readError(both.find(({ status }) => status === 409)!)).message).toMatch(
    /^The admin changed this prompt/,
  )
  await saved({ title: 'a first' })
  expect((await list()).map(({ title, version }) => [title, version])).toEqual([
    ['a first', 1],
    ['Rename a product', 2],
  ])
  expect((await whole.delete(`${path}/${promptId}`)).status).toBe(204)
  expect((await whole.delete(`${path}/${promptId}`)).status).toBe(404)
  expect((await change(promptId, { text: 'x', version: 2 })).status).toBe(404)
  for (const bad of [
    { title: ' ' },
    { title: 'a\u0000' },
    { text: '' },
    { text: 'x'.repeat(10_001) },
    { text: '\u0001' },
  ])
    expect([bad, (await save(bad)).status]).toEqual([bad, 400])
  const many = Array.from({ length: 21 }, (_, index) => `{{p${index}}}`).join()
  expect((await save({ title: 'b', text: many })).status).toBe(400)
  const rows = Array.from({ length: 199 }, (_, index) => ({ title: `T ${index}`, text: 'x' }))
  await whole.db.insert(savedPrompts).values(rows.map((row) => ({ ...row, changedBy: 'Ada', changedAt: new Date() })))
  expect((await readError(await save({ title: 'one more' }))).code).toBe('conflict')
  const { items } = AuditList.parse(await (await whole.get('/api/audit')).json())
  expect(items.filter(({ target }) => target?.id === promptId).map(({ action }) => action)).toEqual([
    'saved_prompt.deleted',
    'saved_prompt.changed',
    'saved_prompt.created',
  ])
})

test('a saved prompt creates one job per project, however often it is sent, and reports the projects without a job', async () => {
  const { upstream, saved, run, change } = await library()
  const { promptId } = await saved()
  const body = { requestId: randomUUID(), projectIds: ['docs', 'api', 'docs'], values: { 'old name': 'A', new: 'B' } }
  const answers = await Promise.all([run(promptId, body), run(promptId, body)])
  const [one, two] = await Promise.all(answers.map(readRun))
  expect(one!.map(({ projectId, state }) => [projectId, state])).toEqual([
    ['docs', 'accepted'],
    ['api', 'accepted'],
  ])
  expect(two!.map(({ jobId }) => jobId)).toEqual(one!.map(({ jobId }) => jobId))
  expect(upstream.posts.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
    ['/v2/agent/api/job', '/v2/agent/docs/job'].map((to) => ({
      path: to,
      prompt: 'Replace “A” with “B”, not {{ $t("x") }}.',
    })),
  )
  upstream.onPost(({ path: to }) =>
    to.includes('/bad/') ? { status: 422, body: { message: 'No' } } : { status: 201, body: wireJob({ id: 'job_9' }) },
  )
  const mixed = await readRun(await run(promptId, { ...body, requestId: randomUUID(), projectIds: ['bad', 'good'] }))
  expect(mixed.map(({ projectId, state }) => [projectId, state])).toEqual([
    ['bad', 'refused'],
    ['good', 'accepted'],
  ])
  const sent = upstream.posts.length
  for (const values of [{}, { 'old name': 'A' }, { 'old name': 'A', new: ' ' }, { 'old name': 'A', new: '\u0000' }])
    expect((await run(promptId, { values })).status).toBe(400)
  await change(promptId, { text: 'Delete everything.', version: 1 })
  expect((await run(promptId, { values: body.values, version: 1 })).status).toBe(409)
  expect((await run(randomUUID(), {})).status).toBe(404)
  expect(upstream.posts).toHaveLength(sent)
})

test('people who may not prompt agents cannot send their own text, and can still do everything else', async () => {
  const { whole, db, upstream, create, saved, run, list } = await library()
  const { promptId } = await saved({ text: 'x' })
  await create()
  const { userId, cookie } = await signedIn(db, 'operator')
  const { bearer } = await makeToken(whole)
  const { bearer: ofProject } = await makeToken(whole, { projectIds: ['docs'] })
  const { bearer: mute } = await makeToken(whole, { mayPrompt: false })
  expect(
    (await readRun(await run(promptId, { projectIds: ['docs', 'api'] }, ofProject))).map((one) => one.state),
  ).toEqual(['accepted', 'not_sent'])
  const body = () => ({ requestId: randomUUID(), projectId: 'docs', prompt: 'x' })
  const ways = (headers: Record<string, string | undefined>) => [
    whole.post('/api/agent-prompts', body(), headers),
    whole.post('/api/agent-jobs/docs/job_1/messages', body(), headers),
    whole.post('/api/agent-jobs/docs/job_1/retry', body(), headers),
    run(promptId, {}, headers),
    whole.post(path, { ...rename, title: randomUUID() }, headers),
  ]
  const statuses = async (headers: Record<string, string | undefined>) => {
    const found = []
    for (const way of ways(headers)) found.push((await way).status)
    return found
  }
  expect((await whole.post('/api/agent-prompts', body(), { cookie })).status).toBe(201)
  const change = (mayPrompt: boolean) => whole.send('PATCH', `/api/users/${userId}`, { mayPrompt })
  expect(await (await change(false)).json()).toMatchObject({ role: 'operator', mayPrompt: false })
  const sent = upstream.posts.length
  for (const headers of [{ cookie }, mute]) expect(await statuses(headers)).toEqual([403, 403, 403, 403, 403])
  expect(upstream.posts).toHaveLength(sent)
  expect(await list({ cookie })).toHaveLength(1)
  expect((await whole.post('/api/agent-jobs/docs/job_1/dismiss', undefined, { cookie })).status).toBe(200)
  expect(await (await whole.get('/api/session', { cookie })).json()).toMatchObject({ person: { mayPrompt: false } })
  expect((await whole.post('/api/agent-prompts', body(), bearer)).status).toBe(201)
  await change(true)
  expect((await whole.post('/api/agent-prompts', body(), { cookie })).status).toBe(201)
  const { items } = AuditList.parse(await (await whole.get('/api/audit')).json())
  const changes = items.filter(({ action, target }) => action.startsWith('user.prompts_') && target?.id === userId)
  expect(changes.map(({ action }) => action)).toEqual(['user.prompts_allowed', 'user.prompts_refused'])
})
