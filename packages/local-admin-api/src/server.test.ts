import { request } from 'node:http'
import { writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { startAgentJobs } from '#testing/agent-jobs.ts'
import { staticExports } from '#static-exports/static-exports.table.ts'
import { key, startApi } from '#testing/api.ts'
import { testDatabase } from '#testing/database.ts'

/** `fetch` sets the Host header itself, so a foreign one needs this. */
const send = (url: string, path: string, headers: Record<string, string>, method = 'GET', body = '') =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { port } = new URL(url)
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })

test('a web page whose host name points at this machine can read and create nothing (DNS rebinding)', async () => {
  const { api, call } = await startAgentJobs(await writeFolder({ 'index.md': 'Hello' }))
  const { port } = new URL(api.url)
  const authorization = `Bearer ${key}`
  const read = (host: string, path = '/v1/agent/docs/jobs') => send(api.url, path, { host, authorization })
  for (const host of [
    `evil.example:${port}`,
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1@evil.example',
  ]) {
    expect([host, (await read(host)).status]).toEqual([host, expect.toSatisfy((status) => Number(status) >= 400)])
    const posted = await send(api.url, '/v2/agent/docs/job', { host, authorization }, 'POST', '{"prompt":"Fix links"}')
    expect(posted.status).toBeGreaterThanOrEqual(400)
  }
  expect((await read(`127.0.0.1:${port}`, 'http://evil.example/v1/agent/docs/jobs')).status).toBe(403)
  expect((await read(`localhost:${port}`)).text).toBe('{"jobs":[]}')
  expect((await call('GET', '/v1/agent/docs/jobs')).status).toBe(200)
})

test('without a key, Admin API calls get 401 and every path outside the API gets 404', async () => {
  const { api } = await startAgentJobs(await writeFolder({ 'index.md': 'Hello' }))
  const paths = ['/', '/jobs', '/docket/docs', '/docket/docs.git/info/refs', '/code/docs', '/git/docs.git/info/refs']
  for (const path of paths)
    for (const method of ['GET', 'POST'])
      expect([path, (await fetch(api.url + path, { method })).status]).toEqual([path, 404])
  for (const path of ['/v1/agent/docs/jobs', '/v2/agent/docs/job/x'])
    expect([path, (await fetch(api.url + path)).status]).toEqual([path, 401])
})

test('a wrong method gets a 405 with the allowed methods and an unknown address a 404, both as an error object', async () => {
  const { call } = await startApi()
  const wrong = await call('PUT', '/v1/static-export/jobs/x')
  expect([wrong.status, wrong.headers.get('allow'), await wrong.json()]).toEqual([
    405,
    'GET, HEAD, DELETE',
    { error: 'Method not allowed' },
  ])
  expect((await call('GET', '/v1/static-export/jobs')).headers.get('allow')).toBe('POST')
  const unknown = await call('GET', '/v1/nothing')
  expect([unknown.status, await unknown.json()]).toEqual([404, { error: 'Not found' }])
})

test('responses forbid caching, framing and type sniffing, and a request that is too large is refused', async () => {
  const { call } = await startApi()
  for (const path of ['/', '/v1/static-export/jobs/x', '/nothing', '/storage/bundles/x/bundle.tar.gz']) {
    const { headers } = await call('GET', path)
    expect([path, headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual([
      path,
      'nosniff',
      'no-store',
    ])
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'/)
  }
  for (const path of ['/v2/agent/docs/job', '/v1/static-export/jobs']) {
    // The connection closes when a body is not read to its end, so it cannot be used again.
    const answer = await call('POST', path, { prompt: 'x'.repeat(300 * 1024) }, { connection: 'close' })
    expect([answer.status, await answer.json()]).toEqual([413, { error: 'The request is too large' }])
  }
})

test('a body of unknown length is read up to the limit, and a request without a body reaches its route', async () => {
  const { api } = await startAgentJobs(await writeFolder({ 'index.md': 'Hello' }))
  const headers = {
    authorization: `Bearer ${key}`,
    host: new URL(api.url).host,
    'transfer-encoding': 'chunked',
    connection: 'close',
  }
  const create = (prompt: string) => send(api.url, '/v2/agent/docs/job', headers, 'POST', JSON.stringify({ prompt }))
  expect((await create('Fix links')).status).toBe(201)
  expect((await create('x'.repeat(300 * 1024))).status).toBe(413)
  const { 'transfer-encoding': _, ...bare } = headers
  expect((await send(api.url, '/v2/agent/docs/job', bare, 'POST')).status).toBe(400)
  expect((await send(api.url, '/v2/agent/docs/job', bare, 'DELETE')).status).toBe(405)
})

test('a start on an occupied port leaves nothing running, so the same data can be opened on another port', async () => {
  const { api } = await startApi()
  const database = await testDatabase()
  const at = new Date()
  const queued = {
    jobId: 'one',
    domain: 'slow-60.sentinel.test',
    status: 'queued',
    createdAt: at,
    updatedAt: at,
  } as const
  await database.insert(staticExports).values(queued)
  await expect(startApi({ database, port: Number(new URL(api.url).port) })).rejects.toThrow('EADDRINUSE')
  // A queue that goes on would begin the export any moment now.
  for (let look = 0; look < 20; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25))
    expect(await database.select().from(staticExports)).toMatchObject([{ status: 'queued', losses: 0 }])
  }
  const again = await startApi({ database })
  expect(await again.status('one')).toMatchObject({ error: null })
})
