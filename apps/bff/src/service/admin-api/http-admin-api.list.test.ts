import { expect, test } from 'vitest'
import { reply, replyJson } from '#service/admin-api/testing/hostile-admin-api.ts'
import { canaryKey, createClient, readFailure } from '#service/admin-api/testing/hostile-client.ts'

const page = { projectId: 'p', skip: 0, take: 50 }
const nothing = { title: null, halted: false, haltReason: null, messageToUser: null }

test('a page of the list of agent jobs is requested with the read key, and the formats that real services send are read', async () => {
  const { api, server } = await createClient(
    replyJson(200, {
      jobs: [
        {
          id: 'a',
          title: 'Fix links',
          todos: [{}],
          haulted: false,
          haultReason: null,
          messageToUser: 'Done.',
          more: 1,
        },
        { id: 'b', title: 'Format', todos: [], haulted: true, haultReason: 'No access', messageToUser: null },
      ],
      total: 2,
    }),
    { readKey: () => 'adm_second-key-for-reads' },
  )
  expect(await api.listAgentJobs({ projectId: 'a/b ?', skip: 24, take: 50 })).toEqual({
    jobs: [
      { id: 'a', title: 'Fix links', halted: false, haltReason: null, messageToUser: 'Done.' },
      { id: 'b', title: 'Format', halted: true, haltReason: 'No access', messageToUser: null },
    ],
    entries: 2,
    skipped: 0,
  })
  const [heard] = server.heard
  expect(heard?.path).toBe('/v1/agent/a%2Fb%20%3F/jobs?skip=24&take=50')
  expect(heard?.headers['authorization']).toBe('Bearer adm_second-key-for-reads')
})

test('missing and mistyped fields are null, and entries without a usable id are skipped and counted', async () => {
  const jobs = [
    { id: 7, title: 7, haulted: 'perhaps', haultReason: ['x'], messageToUser: {} },
    { id: 'a' },
    { id: 'a', title: 'the same once more' },
    null,
    'text',
    [],
    {},
    { id: '' },
    { id: '..' },
    { id: 'a\nb' },
    { id: `x-${canaryKey}` },
    { title: 'no id' },
    { id: 'b', haulted: 'true', haltReason: 'Too\nlong\u202e', title: ' ' },
  ]
  const { api } = await createClient(replyJson(200, { jobs }))
  expect(await api.listAgentJobs(page)).toEqual({
    jobs: [
      { ...nothing, id: '7' },
      { ...nothing, id: 'a', title: 'the same once more' },
      { ...nothing, id: 'b', halted: true, haltReason: 'Too long' },
    ],
    entries: 13,
    skipped: 9,
  })
  const { api: bare } = await createClient(replyJson(200, [{ id: 'a' }]))
  expect((await bare.listAgentJobs(page)).jobs).toEqual([{ ...nothing, id: 'a' }])
})

test('texts in the list contain no secrets, and both the texts and the list are limited in size', async () => {
  const text = `Bearer ${canaryKey} at https://store.example/b?X-Amz-Signature=abcdef ${'word '.repeat(500)}`
  const entry = { title: text, haulted: true, haultReason: text, messageToUser: text }
  const many = Array.from({ length: 4_000 }, (_, index) => ({ id: `job-${index}` }))
  const { api } = await createClient(replyJson(200, { jobs: [{ id: 'a', ...entry }, ...many] }))
  const { jobs, entries, skipped } = await api.listAgentJobs(page)
  expect([jobs.length, entries, skipped]).toEqual([50, 50, 0])
  for (const shown of [jobs[0]?.title, jobs[0]?.haltReason, jobs[0]?.messageToUser]) {
    expect(shown?.length).toBeLessThanOrEqual(500)
    expect(shown).not.toMatch(/canary|abcdef/)
  }
  const { api: endless } = await createClient(replyJson(200, { jobs: [...many, ...many, ...many] }))
  expect((await readFailure(endless.listAgentJobs(page))).message).toContain('too large')
})

test('a response without a list is unusable, and an empty list is valid', async () => {
  for (const body of [{}, { jobs: null }, { jobs: { a: {} } }, null, 7, 'jobs', { id: 'a', status: 'active' }]) {
    const { api } = await createClient(replyJson(200, body))
    expect(await readFailure(api.listAgentJobs(page))).toMatchObject({ code: 'upstream_unexpected', effect: 'none' })
  }
  const { api } = await createClient(replyJson(200, { jobs: [] }))
  expect(await api.listAgentJobs(page)).toEqual({ jobs: [], entries: 0, skipped: 0 })
})

test('a service without the list refuses it with JSON, a web page or a 405, and the address is not blamed', async () => {
  const html = { 'content-type': 'text/html' }
  for (const answer of [
    replyJson(404, { error: 'Not found' }),
    reply(404, '<!doctype html>', html),
    reply(410, '<!doctype html>', html),
    replyJson(405, {}),
  ]) {
    const { api } = await createClient(answer)
    const { code, effect, message } = await readFailure(api.listAgentJobs(page))
    expect([code, effect]).toEqual(['upstream_refused', 'none'])
    expect(message).toContain('doesn’t list agent jobs')
  }
  const { api } = await createClient(reply(200, '<!doctype html>', html))
  expect((await readFailure(api.listAgentJobs(page))).code).toBe('upstream_unexpected')
})
