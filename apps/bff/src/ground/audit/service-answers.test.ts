import { randomUUID } from 'node:crypto'
import { AuditList } from '@docket/api-types/audit'
import { afterAll, expect, test } from 'vitest'
import { agentJobsApp, key } from '#records/agent-jobs/testing/agent-jobs-app.ts'
import { wireJob } from '#records/agent-jobs/testing/stand-in.ts'
import { staticExportStandIn } from '#records/static-exports/testing/stand-in.ts'
import { testApp } from '#testing/test-app.ts'

const upstream = await staticExportStandIn()
const app = await testApp({ upstream: { url: upstream.url, key: 'test_key' } })
afterAll(async () => {
  await app.close()
  await upstream.close()
})

const read = async ({ get }: Pick<typeof app, 'get'>, query: string) =>
  AuditList.parse(await (await get(`/api/audit?${query}`)).json()).items
const start = (domain: string) => app.post('/api/static-exports', { requestId: randomUUID(), domain, confirmed: true })

test('export starts that the service refused and accepted are distinguished in the audit list, filter and CSV', async () => {
  await start('good.example')
  upstream.onStart(() => ({ status: 403, body: { error: 'Not for this site.' } }))
  await start('plan.example')
  const starts = await read(app, 'action=static_export.started')
  expect(starts.map(({ target, outcome, answer }) => [target?.name, outcome, answer])).toEqual([
    ['plan.example', 'ok', 'refused'],
    ['good.example', 'ok', 'done'],
  ])
  const names = async (outcome: string) =>
    (await read(app, `action=static_export.started&outcome=${outcome}`)).map(({ target }) => target?.name)
  expect(await names('refused_by_service')).toEqual(['plan.example'])
  expect(await names('ok')).toEqual(['good.example'])
  expect(await names('refused')).toEqual([])
  expect((await read(app, 'action=session.signed_in&outcome=unknown')).length).toBe(0)
  const csv = (await (await app.get('/api/audit/export?format=csv&q=plan.example')).text()).trimEnd().split('\r\n')
  expect(csv.map((line) => line.split(',').at(-1))).toEqual(['service_answer', 'refused'])
  const line = await (await app.get('/api/audit/export?format=jsonl&q=plan.example')).text()
  expect(JSON.parse(line)).not.toHaveProperty('answer')
})

test('a prompt whose response was lost is unknown in the audit until a person attaches its job', async () => {
  const jobs = await agentJobsApp()
  const answers = async () =>
    (await read(jobs, '')).flatMap(({ action, answer }) => (answer ? [`${action} ${answer}`] : []))
  jobs.upstream.onPost((_, place) => (place === 1 ? 'reset' : { status: 422, body: { error: 'No.' } }))
  const { prompt } = await jobs.create()
  expect(await answers()).toEqual(['agent_job.requested unknown'])
  jobs.upstream.has(wireJob())
  await jobs.decide(prompt.requestId, 'attach', { id: key.id })
  await jobs.message()
  expect(await answers()).toEqual(['agent_job.message_sent refused', 'agent_job.requested done'])
})
