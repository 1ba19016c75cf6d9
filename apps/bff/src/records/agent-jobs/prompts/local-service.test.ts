import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localAdminApi } from '@docket/local-admin-api'
import { expect, onTestFinished, test } from 'vitest'
import { httpAdminApi } from '#service/admin-api/http-admin-api.ts'
import { callTimeoutMs } from '#testing/test-app.ts'
import { testDatabase } from '#testing/database.ts'

const guide = join(import.meta.dirname, '../../../../../../docs/guide')

/** Docket's own client, in front of the service that Docket embeds. */
const createClient = async (strict: boolean, agent: { command?: string } = { command: '/bin/sleep 30' }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'docket-prompts-'))
  const key = 'docket_key-of-the-prompts-test'
  const database = await testDatabase()
  const local = await localAdminApi({
    database: database.db,
    dataDir,
    sites: { 'docs.localhost': guide },
    key,
    strict,
    agent,
  })
  const timeouts = { connectMs: 5_000, headersMs: callTimeoutMs, bodyMs: callTimeoutMs, totalMs: callTimeoutMs }
  const client = httpAdminApi({ baseUrl: local.url, key: () => key, now: Date.now, timeouts })
  onTestFinished(async () => {
    await client.close()
    await local.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return client
}

test('the local service creates a job and takes a follow-up, and its refusals are reported correctly', async () => {
  const client = await createClient(false)
  const created = await client.createAgentJob({ projectId: 'docs', prompt: 'Rest' })
  expect(created).toMatchObject({ status: 'active', ref: `docs-agent/${created.id}` })
  const job = { projectId: 'docs', id: created.id }
  expect(await client.sendAgentMessage({ ...job, prompt: 'Fix links' })).toMatchObject({ status: 'active' })
  expect(await client.getAgentJob(job)).toMatchObject({ ref: created.ref })

  const refusedBy = (call: Promise<unknown>) => expect(call).rejects
  const to = (projectId: string, prompt: string) => client.createAgentJob({ projectId, prompt })
  await refusedBy(to('other', 'Fix links')).toMatchObject({ code: 'upstream_refused', effect: 'none' })
  await refusedBy(to('sentinel', 'not-allowed')).toMatchObject({ code: 'upstream_forbidden', effect: 'none' })
  await refusedBy(to('sentinel', 'rate-limited')).toMatchObject({ code: 'upstream_rate_limited', retryAfterMs: 5_000 })
  await refusedBy(to('sentinel', 'lost-answer')).toMatchObject({ code: 'upstream_unavailable', effect: 'unknown' })
  const archived = { projectId: 'sentinel', id: 'archived', prompt: 'Fix links' }
  await refusedBy(client.sendAgentMessage(archived)).toMatchObject({ code: 'upstream_conflict', effect: 'none' })
})

test('a working job of the local service is cancelled, has a history and a log, and is archived', async () => {
  const client = await createClient(false)
  const { id } = await client.createAgentJob({ projectId: 'docs', prompt: 'Wait 30 s' })
  const job = { projectId: 'docs', id }
  expect(await client.getAgentJob(job)).toMatchObject({ isDetailed: true, serviceTitle: 'Wait 30 s', error: null })
  await expect(client.archiveAgentJob(job)).rejects.toMatchObject({ code: 'upstream_conflict', effect: 'none' })
  expect(await client.cancelAgentJob(job)).toMatchObject({ status: 'failed', error: 'cancelled' })
  expect(await client.readAgentJobLog({ ...job, offset: 0 })).toMatchObject({ isCut: false, ended: true })
  expect(await client.archiveAgentJob(job)).toMatchObject({ status: 'archived' })
})

test('if a strict service refuses both operations, the outcome is known: nothing happened', async () => {
  const client = await createClient(true)
  const none = { effect: 'none', message: expect.stringMatching(/doesn’t/) as string }
  const job = { projectId: 'docs', prompt: 'Fix links' }
  await expect(client.createAgentJob(job)).rejects.toMatchObject(none)
  await expect(client.sendAgentMessage({ ...job, id: 'any' })).rejects.toMatchObject(none)
})

test('without an agent a prompt is refused with a readable message, and a maintenance order is accepted', async () => {
  const client = await createClient(false, {})
  await expect(client.createAgentJob({ projectId: 'docs', prompt: 'Fix links' })).rejects.toMatchObject({
    code: 'upstream_refused',
    effect: 'none',
    message: expect.stringContaining('No agent is configured') as string,
  })
  const order = { projectId: 'docs', prompt: 'Fix typos', maintenance: { action: 'fix_typos' } }
  expect(await client.createAgentJob(order)).toMatchObject({ status: 'active', model: 'maintenance, no model' })
})
