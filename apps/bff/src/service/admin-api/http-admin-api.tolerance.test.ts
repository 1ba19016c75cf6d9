import { createSecureServer } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { zstdCompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { localhostCertificate } from '@docket/code-hosts/testing/certificate'
import { reply, replyJson } from '#service/admin-api/testing/hostile-admin-api.ts'
import { canaryKey, createClient, operations, readFailure } from '#service/admin-api/testing/hostile-client.ts'

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
    [['One', { message: 'Two' }], 'One: Two'],
    [null, null],
  ]) {
    const { api } = await createClient(replyJson(200, { status: 'failed', jobId: 'e', error }))
    expect(await api.getStaticExport('e')).toMatchObject({ status: 'failed', error: reason })
    expect(await api.startStaticExport({ domain: 'docs.example.com' })).toMatchObject({ error: reason })
  }
})

test('the reason of a failed export is read wherever the service puts it', async () => {
  for (const body of [
    { reason: 'The site is too large' },
    { message: 'The site is too large' },
    { errors: ['The site is too large'] },
    { error: null, detail: 'The site is too large', title: 'Docs' },
  ]) {
    const { api } = await createClient(replyJson(200, { status: 'failed', ...body }))
    expect(await api.getStaticExport('e')).toMatchObject({ status: 'failed', error: 'The site is too large' })
  }
  const { api } = await createClient(replyJson(200, { status: 'failed', title: 'Docs' }))
  expect(await api.getStaticExport('e')).toMatchObject({ error: null })
})

test('a refusal as plain text is the sentence of the service, except for a 404', async () => {
  const plain = { 'content-type': 'text/plain; charset=utf-8' }
  const { api } = await createClient(reply(403, 'upstream denied', plain))
  expect((await readFailure(api.getStaticExport('e'))).sentence).toBe('upstream denied')
  const { api: bare } = await createClient(reply(404, '404 page not found', plain))
  expect((await readFailure(bare.getStaticExport('e'))).sentence).toBeNull()
})

test('only a web page and text that is no JSON are said not to be from an Admin API', async () => {
  const told = async (call: Promise<unknown>) => (await readFailure(call)).message
  const claims = (message: string) => message.includes('isn’t from an Admin API')
  for (const body of ['<!doctype html>', 'hello']) {
    const { api } = await createClient(reply(200, body))
    expect(claims(await told(api.getStaticExport('e')))).toBe(true)
  }
  const { api } = await createClient(replyJson(202, { status: 'queued' }))
  const { api: other } = await createClient(replyJson(200, { jobId: 'x', status: 'active' }))
  const { api: empty } = await createClient(reply(200, ''))
  const { api: coded } = await createClient(reply(200, 'x', { 'content-encoding': 'exotic' }))
  const { api: long } = await createClient(replyJson(200, {}, { 'x-long': 'x'.repeat(24_000) }))
  const messages = await Promise.all([
    told(api.startStaticExport({ domain: 'docs.example.com' })),
    told(other.getStaticExport('e')),
    told(empty.getStaticExport('e')),
    told(coded.getStaticExport('e')),
    told(long.getStaticExport('e')),
  ])
  expect(messages.filter(claims)).toEqual([])
  expect(messages.map((message) => /^Unusable response: (.+?)\./.exec(message)?.[1])).toEqual([
    'it has no usable jobId',
    'it describes another job than the one asked for',
    'it is empty',
    'Docket can’t decompress its content encoding',
    'its headers are longer than 16 kB',
  ])
})

test('a response that is compressed with zstd is read', async () => {
  const body = zstdCompressSync('{"status":"running","pageCount":3}')
  const { api } = await createClient(reply(200, body, { 'content-encoding': 'zstd' }))
  expect(await api.getStaticExport('e')).toMatchObject({ status: 'running', pageCount: 3 })
})

test('a certificate of a private authority is told with the setting that mends it', async () => {
  const server = createHttpsServer(localhostCertificate)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { api } = await createClient(replyJson(200, {}), { baseUrl: `https://localhost:${port}` })
  expect(await readFailure(api.getStaticExport('e'))).toMatchObject({
    effect: 'none',
    message: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string,
  })
})

test('a server that speaks HTTP/2 only is told as such', async () => {
  const server = createSecureServer({ ...localhostCertificate, ALPNProtocols: ['h2'] })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { api } = await createClient(replyJson(200, {}), { baseUrl: `https://127.0.0.1:${port}` })
  expect((await readFailure(api.getStaticExport('e'))).message).toContain('speaks HTTP/2 only')
})

test.each([202, 409, 423, 425])(
  'a %d for a bundle means that it is not ready yet, with the sentence of the service',
  async (status) => {
    const { api } = await createClient(
      replyJson(status, { status: 'pending', message: 'Bundle generation in progress' }),
    )
    expect(await readFailure(api.generateBundle('e'))).toMatchObject({
      code: 'upstream_conflict',
      effect: 'none',
      message:
        'The service has no bundle of this export yet. The service says: “Bundle generation in progress.” Try again in a moment.'.replace(
          'progress.”',
          'progress”.',
        ),
    })
  },
)

test('a start that starts nothing passes on the id of the job that the service names', async () => {
  const place = '/v1/static-export/jobs/se_77'
  for (const [status, body, headers] of [
    [409, { error: 'Already running.', jobId: 'se_77' }, {}],
    [409, { error: { message: 'Already running.', job_id: 'se_77' } }, {}],
    [409, { error: 'Already running.', job: { id: 'se_77' } }, {}],
    [409, { error: 'Already running.' }, { location: place }],
    [202, {}, { location: `https://api.example.com${place}/` }],
    [201, {}, { location: `${place}?x=1` }],
    [303, {}, { location: place }],
  ] as const) {
    const { api, server } = await createClient(replyJson(status, body, headers))
    expect((await readFailure(api.startStaticExport({ domain: 'a.example' }))).named).toBe('se_77')
    expect(server.heard).toHaveLength(1)
  }
  for (const location of ['/login', '/jobs/%', '/jobs/..', `/jobs/${canaryKey}`]) {
    const { api } = await createClient(replyJson(409, { error: 'No.' }, { location }))
    expect((await readFailure(api.startStaticExport({ domain: 'a.example' }))).named).toBeNull()
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
  for (const id of ['jobs/job-a', 'p/job-a', '/v1/static-export/jobs/Job-A']) {
    const { api } = await createClient(replyJson(200, { id, jobId: id, status: 'active' }))
    expect(await api.getAgentJob({ projectId: 'p', id: 'job-a' })).toMatchObject({ status: 'active' })
    expect(await api.getStaticExport('job-a')).toMatchObject({ status: 'active' })
    expect(await readFailure(api.getStaticExport('b'))).toMatchObject({ code: 'upstream_unexpected' })
  }
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
