import { writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { startAgentJobs } from '#testing/agent-jobs.ts'

type List = { jobs: { id: string; title: string; haulted: boolean; haultReason: string | null }[] }

test('the jobs of a project are listed newest first, 12 per page by default', async () => {
  const { call, create, run } = await startAgentJobs(await writeFolder({ 'index.md': 'One\n' }))
  const { job: failed } = await run('Move "nowhere" to "elsewhere"')
  const ids = [failed.id]
  for (let index = 0; index < 13; index += 1) ids.unshift((await create(`Wait 99 s\nReplace "One" with "${index}"`)).id)
  const list = async (query = '') => ((await (await call('GET', `/v1/agent/docs/jobs${query}`)).json()) as List).jobs
  const listIds = async (query: string) => (await list(query)).map(({ id }) => id)
  expect(await listIds('')).toEqual(ids.slice(0, 12))
  expect(await listIds('?skip=12')).toEqual(ids.slice(12))
  expect(await listIds('?skip=1&take=2')).toEqual(ids.slice(1, 3))
  expect(await listIds('?skip=99')).toEqual([])
  expect((await list('?take=100')).at(-1)).toMatchObject({
    title: 'Move "nowhere" to "elsewhere"',
    todos: [],
    haulted: true,
    haultReason: expect.stringContaining('nowhere') as unknown,
    messageToUser: null,
  })
})

test('the list of the reserved project contains its reserved job ids', async () => {
  const { call } = await startAgentJobs(await writeFolder({ 'index.md': 'One\n' }))
  const { jobs } = (await (await call('GET', '/v1/agent/sentinel/jobs?take=3')).json()) as List
  expect(jobs.map(({ id }) => id)).toEqual(['active', 'pull-request', 'merge-request'])
})

test('a strict service does not list jobs', async () => {
  const { call } = await startAgentJobs(await writeFolder({ 'index.md': 'One\n' }), { strict: true })
  expect((await call('GET', '/v1/agent/docs/jobs')).status).toBe(404)
})
