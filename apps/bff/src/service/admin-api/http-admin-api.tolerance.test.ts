import { expect, test } from 'vitest'
import { reply, replyJson } from '#service/admin-api/testing/hostile-admin-api.ts'
import { createClient, operations, readFailure } from '#service/admin-api/testing/hostile-client.ts'

test('a known status of an agent job is read in any letter case, and an unknown one is kept unchanged', async () => {
  for (const [said, status] of [
    ['COMPLETED', 'completed'],
    [' Active ', 'active'],
    ['\tFailed\n', 'failed'],
    ['Archived', 'archived'],
    ['Paused', 'Paused'],
  ]) {
    const { api } = await createClient(replyJson(200, { status: said }))
    expect(await api.getAgentJob({ projectId: 'p', id: 'j' })).toMatchObject({ status })
    expect(await api.sendAgentMessage({ projectId: 'p', id: 'j', prompt: 'go' })).toMatchObject({ status })
  }
})

test('the reason of a failed export is read from a text or an object', async () => {
  for (const [error, reason] of [
    ['The site is too large', 'The site is too large'],
    [{ code: 'E1', message: 'The site\nis too large' }, 'The site is too large'],
    [{ detail: 'The site is too large' }, 'The site is too large'],
    [{ code: 7 }, null],
    [['no'], null],
    [null, null],
  ]) {
    const { api } = await createClient(replyJson(200, { status: 'failed', jobId: 'e', error }))
    expect(await api.getStaticExport('e')).toMatchObject({ status: 'failed', error: reason })
    expect(await api.startStaticExport({ domain: 'docs.example.com' })).toMatchObject({ error: reason })
  }
})

test('a response with the id of another job is rejected for every operation', async () => {
  const other = { id: 'stranger', jobId: 'stranger', status: 'completed', bundleUrl: 'https://store.example/b' }
  const { api } = await createClient(replyJson(200, other))
  for (const [name, call] of operations) {
    if (['createAgentJob', 'startStaticExport', 'listAgentJobs'].includes(name)) continue
    const { code, message, effect } = await readFailure(call(api))
    expect([name, code]).toEqual([name, 'upstream_unexpected'])
    expect(message).toContain('another job')
    expect(message).not.toContain('stranger')
    expect(effect).toBe(name === 'sendAgentMessage' || name === 'generateBundle' ? 'unknown' : 'none')
  }
})

test('an id that is unusable, missing, a number or in another letter case does not count as another job', async () => {
  for (const id of ['JOB-A', ' job-a ', undefined, null, {}, '']) {
    const { api } = await createClient(replyJson(200, { id, jobId: id, status: 'active' }))
    expect(await api.getAgentJob({ projectId: 'p', id: 'job-a' })).toMatchObject({ status: 'active' })
    expect(await api.getStaticExport('job-a')).toMatchObject({ status: 'active' })
  }
  const { api } = await createClient(replyJson(200, { id: 7, jobId: 7, status: 'active' }))
  expect(await api.getAgentJob({ projectId: 'p', id: '7' })).toMatchObject({ status: 'active' })
  expect(await api.getStaticExport('7')).toMatchObject({ status: 'active' })
})

test('a 402 is explained as a limit of the plan, and nothing was done', async () => {
  const { api } = await createClient(replyJson(402, { error: 'Upgrade' }))
  for (const [name, call] of operations) {
    const failure = await readFailure(call(api))
    expect(failure).toMatchObject({ code: 'upstream_refused', effect: 'none', sentence: 'Upgrade' })
    expect(failure.message).toContain('organization’s plan')
    expect(failure.message.includes('Enterprise')).toBe(!name.includes('Agent'))
  }
})

test('a 410 means a missing record at once, unless it has a web page', async () => {
  const { api } = await createClient(replyJson(410, { error: 'Gone' }))
  for (const call of [api.getStaticExport('e'), api.getAgentJob({ projectId: 'p', id: 'j' })])
    expect(await readFailure(call)).toMatchObject({ code: 'upstream_not_found', effect: 'none' })
  const { api: page } = await createClient(reply(410, '<!doctype html>', { 'content-type': 'text/html' }))
  expect(await readFailure(page.getStaticExport('e'))).toMatchObject({ code: 'upstream_unexpected' })
})

test('a base address that ends in a version gives the same request paths as one without', async () => {
  const { server, api: probe } = await createClient(replyJson(200, { status: 'active' }))
  await probe.close()
  for (const end of ['/v1', '/v2/', '/admin/v1']) {
    const { api } = await createClient(replyJson(200, {}), { baseUrl: server.baseUrl + end })
    await api.getStaticExport('e')
    await api.getAgentJob({ projectId: 'p', id: 'j' })
  }
  const paths = ['/v1/static-export/jobs/e', '/v2/agent/p/job/j']
  expect(server.heard.map(({ path }) => path)).toEqual([...paths, ...paths, ...paths.map((path) => `/admin${path}`)])
})
