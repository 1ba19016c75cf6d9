import { AgentJob } from '@docket/api-types/agent-jobs'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { isUnsettled } from '#ground/db/attention.ts'
import { migrateDatabase } from '#ground/db/migrate.ts'
import { testDatabase } from '#testing/database.ts'
import { agentJobsApp, key, toPath } from '#records/agent-jobs/testing/agent-jobs-app.ts'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { completedJob, wireJob } from '#records/agent-jobs/testing/stand-in.ts'

const link = 'https://github.com/acme/docs/pull/12'

const attentionApp = async () => {
  const app = await agentJobsApp()
  return {
    ...app,
    count: async () => (await app.list('?attention=true')).counts.attention,
    act: async (method: string, action = '', body: unknown = {}) =>
      AgentJob.parse(await (await app.whole.send(method, toPath(key, action), body)).json()),
    /** Reads the job until the service is seen to know it no longer. */
    lose: async () => {
      app.upstream.answers({ status: 410, body: { error: 'gone' } })
      expect((await app.nextCheck()).meaning).toBe('gone')
    },
  }
}

test('a failed job needs attention until it is dismissed, and again if it fails again', async () => {
  const { upstream, follow, count, act, clock, nextCheck, db, whole } = await attentionApp()
  upstream.has(wireJob({ status: 'failed' }))
  await follow(key)
  clock.ms += 2 * 86_400_000
  expect(await count()).toBe(1)
  const etag = (await whole.get('/api/agent-jobs')).headers.get('etag') ?? ''
  for (let time = 0; time < 2; time += 1)
    expect(await act('POST', '/dismiss')).toMatchObject({ meaning: 'failed', needsAttention: false })
  expect(await count()).toBe(0)
  expect((await whole.get('/api/agent-jobs', { 'if-none-match': etag })).status).toBe(200)
  for (let time = 0; time < 2; time += 1)
    expect(await act('DELETE', '/dismiss')).toMatchObject({ needsAttention: true })
  await act('POST', '/dismiss')
  upstream.has(wireJob())
  await act('POST', '/check')
  upstream.has(wireJob({ status: 'failed' }))
  await nextCheck()
  expect(await count()).toBe(1)
  const actions = (await db.select().from(auditEvents).orderBy(auditEvents.auditId)).map(({ action }) => action)
  expect(actions.filter((action) => action.includes('dismiss'))).toEqual([
    'agent_job.dismissed',
    'agent_job.dismissal_undone',
    'agent_job.dismissed',
  ])
})

test('a dismissed finished job needs attention again if the service loses it a second time', async () => {
  const { upstream, follow, count, act, lose } = await attentionApp()
  upstream.has(completedJob())
  await follow(key)
  await lose()
  expect(await count()).toBe(1)
  await act('POST', '/dismiss')
  upstream.has(completedJob())
  await act('POST', '/check')
  expect(await count()).toBe(0)
  await lose()
  expect(await count()).toBe(1)
})

test('a note is kept when the job is read or followed again, and the audit has only its length', async () => {
  const { upstream, follow, act, nextCheck, remove, db } = await attentionApp()
  upstream.has(wireJob())
  await follow(key)
  expect((await act('PATCH', '', { note: 'ask legal' })).note).toMatchObject({ text: 'ask legal' })
  upstream.has(completedJob())
  expect((await nextCheck()).note?.text).toBe('ask legal')
  await remove(toPath(key))
  await follow(key)
  expect((await act('POST', '/check')).note?.text).toBe('ask legal')
  const audited = await db.select().from(auditEvents)
  expect(audited.find(({ action }) => action === 'agent_job.note_changed')?.details).toEqual({ characters: 9 })
  expect(JSON.stringify(audited)).not.toContain('legal')
})

test('a job that is ready for review needs no attention, only while the service has lost it', async () => {
  const { upstream, follow, count, act, lose } = await attentionApp()
  upstream.has(completedJob({ prLink: link }))
  await follow(key)
  expect(await count()).toBe(0)
  await lose()
  expect(await count()).toBe(1)
  upstream.has(completedJob({ prLink: link }))
  await act('POST', '/check')
  expect(await count()).toBe(0)
})

test('an upgrade clears attention for jobs that were already ready, and names jobs after the prompts that created them', async () => {
  const { db, url, drop } = await testDatabase({ empty: true })
  onTestFinished(drop)
  await migrateDatabase({ connectionString: url }, { only: 9 })
  const job = (id: string, status: string, pr: string | null) =>
    sql`insert into agent_jobs (project_id, id, status, pr_link, followed_at, finished_at) values ('docs', ${id}, ${status}, ${pr}, now(), now())`
  await db.execute(job('ready', 'completed', link))
  await db.execute(job('failed', 'failed', null))
  await db.execute(job('bare', 'active', null))
  const prompt = (id: string, kind: string, text: string, state = 'accepted') =>
    sql`insert into agent_prompts (request_id, kind, project_id, job_id, prompt, state, sent_by, sent_at)
      values (gen_random_uuid(), ${kind}, 'docs', ${id}, ${text}, ${state}, 'Ada', clock_timestamp())`
  await db.execute(prompt('ready', 'message', 'of another time', 'refused'))
  await db.execute(prompt('ready', 'creation', '\r\n  fix links \r\neverywhere'))
  await db.execute(prompt('ready', 'message', 'and typos'))
  await db.execute(prompt('failed', 'message', 'shorter'))
  await migrateDatabase({ connectionString: url })
  const rows = await db.select().from(agentJobs).orderBy(agentJobs.id)
  expect(rows.map((row) => [row.id, row.group, isUnsettled(row), row.title, row.askedBy])).toEqual([
    ['bare', 'working', false, null, null],
    ['failed', 'failed', true, 'shorter', null],
    ['ready', 'pull_request_ready', false, 'fix links', 'Ada'],
  ])
  expect(rows.at(-1)?.prompts).toMatch(/everywhere\s+and typos$/)
})
