import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { UpstreamCode } from '#ground/errors/app-error.ts'
import {
  drip,
  endless,
  flood,
  hang,
  hostileAdminApi,
  raw,
  reply,
  replyJson,
  reset,
  stall,
} from '#service/admin-api/testing/hostile-admin-api.ts'
import type { Behaviour } from '#service/admin-api/testing/hostile-admin-api.ts'
import { canaryKey, createClient, readFailure, operations } from '#service/admin-api/testing/hostile-client.ts'
import { httpAdminApi } from './http-admin-api.ts'
import type { HttpAdminApiOptions } from './http-admin-api.ts'

type Timeouts = NonNullable<HttpAdminApiOptions['timeouts']>
const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
// Good answers to every operation, were they not so large.
const bomb = `{"status":"completed","jobId":"e","bundleUrl":"https://x.example/b","pad":"${' '.repeat(20_000_000)}"}`
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

/** An answer, the resulting error of a call, and whether a POST has an unknown outcome. */
const cases: [title: string, Behaviour, UpstreamCode, post: 'none' | 'unknown', Timeouts?][] = [
  ['hangs', hang, 'upstream_timeout', 'unknown', { totalMs: 1_000 }],
  ['is silent past the header time-out', hang, 'upstream_timeout', 'unknown', { headersMs: 200 }],
  ['stalls in the body', stall, 'upstream_timeout', 'unknown', { bodyMs: 200 }],
  ['drips for ever', drip, 'upstream_timeout', 'unknown', { totalMs: 1_000 }],
  ['floods', flood, 'upstream_unexpected', 'unknown'],
  ['sends crumbs', endless(`${ok}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'), 'upstream_unexpected', 'unknown'],
  [
    'gives hints without an end',
    endless('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
    'upstream_unexpected',
    'unknown',
  ],
  [
    'extends a chunk without an end',
    endless(`${ok}transfer-encoding: chunked\r\n\r\n1;`, 'x'),
    'upstream_unexpected',
    'unknown',
  ],
  ['begins without an end', endless('HTTP/1.1 200 ', 'x'), 'upstream_unexpected', 'unknown'],
  ['announces a huge body and sends it', reply(200, ' '.repeat(2_000_000)), 'upstream_unexpected', 'unknown'],
  [
    'is cut off',
    raw(`${ok}content-length: 90\r\n\r\n{"jobId":"e","status":"completed"}`),
    'upstream_unavailable',
    'unknown',
  ],
  [
    'is cut off between chunks',
    raw(`${ok}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`),
    'upstream_unavailable',
    'unknown',
  ],
  ['resets after accepting', reset, 'upstream_unavailable', 'unknown'],
  ['closes without a word', raw(''), 'upstream_unavailable', 'unknown'],
  ['fails with 500 after accepting', replyJson(500, { error: 'boom' }), 'upstream_unavailable', 'unknown'],
  ['answers 502 with a page', reply(502, '<html>bad gateway</html>'), 'upstream_unavailable', 'unknown'],
  ['answers 503', replyJson(503, { error: 'maintenance' }), 'upstream_unavailable', 'unknown'],
  ['answers 504', replyJson(504, {}), 'upstream_timeout', 'unknown'],
  ['answers 408', replyJson(408, {}), 'upstream_timeout', 'unknown'],
  ['answers 400', replyJson(400, { error: 'no' }), 'upstream_refused', 'none'],
  ['answers 418 with nothing', reply(418, ''), 'upstream_refused', 'none'],
  ['answers 401', replyJson(401, { error: 'expired' }), 'upstream_key_rejected', 'none'],
  ['answers 401 with a flood of text', reply(401, 'x'.repeat(2_000_000)), 'upstream_key_rejected', 'none'],
  ['answers 403', replyJson(403, { error: 'plan' }), 'upstream_forbidden', 'none'],
  ['answers 409', replyJson(409, { error: 'not finished' }), 'upstream_conflict', 'none'],
  ['answers 429', replyJson(429, { error: 'slow down' }), 'upstream_rate_limited', 'none'],
  ['speaks garbage', raw('\u0000\u0001\u0002 not http at all\r\n\r\n'), 'upstream_unexpected', 'unknown'],
  [
    'sends endless headers',
    raw(`HTTP/1.1 200 OK\r\n${'x-a: 1234567890\r\n'.repeat(2_000)}\r\n`),
    'upstream_unexpected',
    'unknown',
  ],
  ['sends a page', reply(200, '<html></html>', { 'content-type': 'text/html' }), 'upstream_unexpected', 'unknown'],
  ['sends half a JSON', reply(200, '{"jobId":'), 'upstream_unexpected', 'unknown'],
  ['sends nothing', reply(200, ''), 'upstream_unexpected', 'unknown'],
  ['answers 204', raw('HTTP/1.1 204 No Content\r\n\r\n'), 'upstream_unexpected', 'unknown'],
  ['sends null', reply(200, 'null'), 'upstream_unexpected', 'unknown'],
  ['sends a list', reply(200, '[{"status":"completed","jobId":"e"}]'), 'upstream_unexpected', 'unknown'],
  ['sends a very deep list', reply(200, deep), 'upstream_unexpected', 'unknown'],
  ['sends a very deep field', reply(200, `{"status":${deep}}`), 'upstream_unexpected', 'unknown'],
  [
    'sends only mistyped fields',
    replyJson(200, { status: 7, jobId: {}, bundleUrl: 5, progress: [], model: 1 }),
    'upstream_unexpected',
    'unknown',
  ],
  [
    'hides fields in __proto__',
    reply(200, '{"__proto__":{"status":"completed","jobId":"e","bundleUrl":"https://x.example"}}'),
    'upstream_unexpected',
    'unknown',
  ],
  [
    'uses a compression nobody knows',
    reply(200, '{}', { 'content-encoding': 'snappy' }),
    'upstream_unexpected',
    'unknown',
  ],
  [
    'lies about compression',
    reply(200, '{"status":"completed"}', { 'content-encoding': 'gzip' }),
    'upstream_unexpected',
    'unknown',
  ],
  ['sends a gzip bomb', reply(200, gzipSync(bomb), { 'content-encoding': 'gzip' }), 'upstream_unexpected', 'unknown'],
  [
    'sends a brotli bomb',
    reply(200, brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }), {
      'content-encoding': 'br',
    }),
    'upstream_unexpected',
    'unknown',
  ],
  [
    'sends a deflate bomb',
    reply(200, deflateSync(bomb), { 'content-encoding': 'deflate' }),
    'upstream_unexpected',
    'unknown',
  ],
  [
    'sends half a gzip',
    reply(200, gzipSync('{"status":"completed","jobId":"e"}').subarray(0, 20), { 'content-encoding': 'gzip' }),
    'upstream_unexpected',
    'unknown',
  ],
]

for (const [title, behave, code, post, timeouts] of cases) {
  // Those that wait for a time-out wait together, and not while this process reads a flood.
  const run = timeouts === undefined ? test : test.concurrent
  run(`a service that ${title}: every call ends in ${code}, and is made once`, async () => {
    const server = await hostileAdminApi(behave)
    const api = httpAdminApi({ baseUrl: server.baseUrl, key: () => canaryKey, timeouts })
    try {
      for (const [name, call] of operations) {
        const error = await readFailure(call(api))
        const isPost = !/^(?:get|list)/.test(name)
        expect([name, error.code, error.effect]).toEqual([name, code, isPost ? post : 'none'])
      }
      expect(server.heard).toHaveLength(operations.length)
    } finally {
      await api.close()
      await server.close()
    }
  })
}

test('an endless answer is read only up to the limit', async () => {
  let received = 0
  const onChunk = (message: unknown) => {
    received += (message as { chunk: Buffer }).chunk.length
  }
  subscribe('undici:request:bodyChunkReceived', onChunk)
  onTestFinished(() => void unsubscribe('undici:request:bodyChunkReceived', onChunk))
  const { api } = await createClient(flood)
  await readFailure(api.getStaticExport('e'))
  expect(received).toBeGreaterThan(1_048_576)
  // One piece of a socket beyond the cap, at most.
  expect(received).toBeLessThanOrEqual(1_048_576 + 65_536)
})

test('a 404 for a record means not found, and a 404 for a start means refused', async () => {
  const { api } = await createClient(replyJson(404, { error: 'Job not found' }))
  for (const [name, call] of operations) {
    const namesNoRecord = ['startStaticExport', 'createAgentJob', 'listAgentJobs'].includes(name)
    const code = namesNoRecord ? 'upstream_refused' : 'upstream_not_found'
    expect(await readFailure(call(api))).toMatchObject({ code, effect: 'none', sentence: 'Job not found' })
  }
})

test('a 404 with a web page does not mean a missing record, and for a prompt or list it means not supported', async () => {
  const { api } = await createClient(reply(404, '<!doctype html><h1>Not found</h1>', { 'content-type': 'text/html' }))
  const failures = await Promise.all(
    operations.map(async ([name, call]) => [name, (await readFailure(call(api))).message] as const),
  )
  for (const [name, message] of failures)
    expect([name, message]).toEqual([
      name,
      expect.stringMatching(/^(?:create|send|list)/.test(name) ? /^This service doesn’t / : /isn’t from an Admin API/),
    ])
})

test('a redirect is not followed, and its target never receives the key', async () => {
  const canary = await hostileAdminApi(replyJson(200, { status: 'completed', jobId: 'e' }))
  onTestFinished(() => canary.close())
  for (const status of [301, 302, 303, 307, 308]) {
    const { api, server } = await createClient(
      replyJson(status, {}, { location: `${canary.baseUrl}/v1/static-export/jobs/e` }),
    )
    for (const [name, call] of operations) {
      const isDoubtful = !/^(?:get|list)/.test(name) && status < 307
      const effect = isDoubtful ? 'unknown' : 'none'
      expect(await readFailure(call(api))).toMatchObject({ code: 'upstream_unexpected', effect })
    }
    expect(server.heard).toHaveLength(operations.length)
  }
  expect(canary.heard).toEqual([])
})

test('Retry-After is read as seconds or a date, is limited to an hour, and a past or invalid value is ignored', async () => {
  const nowMs = Date.parse('2026-01-01T00:00:00Z')
  const table: [string, number | null][] = [
    ['7', 7_000],
    ['0', null],
    ['0.2', 1_000],
    ['999999999999', 3_600_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', null],
    ['Fri, 01 Jan 2027 00:00:00 GMT', 3_600_000],
    ['-5', null],
    ['soon', null],
    ['1; 2', null],
    ['', null],
  ]
  for (const [header, expected] of table) {
    const { api } = await createClient(replyJson(429, {}, { 'retry-after': header }), { now: () => nowMs })
    expect([header, (await readFailure(api.getStaticExport('e'))).retryAfterMs]).toEqual([header, expected])
  }
})

test('the stored message of a 429 states how long to wait, not until when', async () => {
  const { api } = await createClient(replyJson(429, {}, { 'retry-after': '7' }))
  const { message } = await readFailure(api.getStaticExport('e'))
  expect(message).toBe('The service asks for fewer calls. It asked Docket to wait 7 seconds.')
})

test('a refused connection proves that nothing was sent', async () => {
  const gone = await hostileAdminApi(hang)
  await gone.close()
  const { api } = await createClient(hang, { baseUrl: gone.baseUrl })
  for (const [, call] of operations) {
    expect(await readFailure(call(api))).toMatchObject({ code: 'upstream_unavailable', effect: 'none' })
  }
})

test('a TLS handshake without an answer, or with a plain-text answer, proves that nothing was sent', async () => {
  const sockets = new Set<Socket>()
  const mute = createServer((socket) => void sockets.add(socket.on('error', () => undefined)))
  await new Promise<void>((listening) => mute.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    mute.close()
  })
  const muteUrl = `https://127.0.0.1:${(mute.address() as AddressInfo).port}`
  const { api: toMute } = await createClient(hang, { baseUrl: muteUrl, timeouts: { connectMs: 200 } })
  expect(await readFailure(toMute.startStaticExport({ domain: 'x' }))).toMatchObject({
    code: 'upstream_timeout',
    effect: 'none',
  })

  const plain = createServer((socket) => socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await new Promise<void>((listening) => plain.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void plain.close())
  const { api: toPlain } = await createClient(hang, {
    baseUrl: `https://127.0.0.1:${(plain.address() as AddressInfo).port}`,
  })
  expect(await readFailure(toPlain.startStaticExport({ domain: 'x' }))).toMatchObject({
    code: 'upstream_unavailable',
    effect: 'none',
  })
})

test('an unrequested second response is never read as the response to the next call', async () => {
  const body = '{"status":"completed"}'
  const forged = `${ok}content-length: ${body.length}\r\n\r\n${body}`
  const { api } = await createClient((socket, request) => {
    if (request.path.endsWith('/first')) socket.write(`${ok}content-length: 19\r\n\r\n{"status":"queued"}${forged}`)
    else readReply(socket)
  })
  const readReply = (socket: Socket) =>
    void replyJson(200, { status: 'running' })(socket, { method: '', path: '', headers: {}, body: '' })
  expect((await api.getStaticExport('first').catch(() => null))?.status ?? 'queued').toBe('queued')
  expect((await api.getStaticExport('second')).status).toBe('running')
})

test('a connection closed by the service in the meantime never leaves the outcome of a start unknown', async () => {
  const { api, server } = await createClient((socket, request) => {
    void replyJson(200, { status: 'running', jobId: 'e' })(socket, request)
    socket.end()
  })
  for (let round = 0; round < 5; round += 1) {
    await api.getStaticExport('e')
    expect((await api.startStaticExport({ domain: 'docs.example.com' })).jobId).toBe('e')
    expect(server.heard.at(-1)?.headers).toMatchObject({ connection: 'close' })
  }
})

test('valid answers are read with any 2xx status, any content type, interim responses and unrequested compression', async () => {
  const json = JSON.stringify({ status: 'running', progress: '42%', pageCount: '7', jobId: 12 })
  const interim: Behaviour = (socket, request) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n')
    void reply(200, json)(socket, request)
  }
  const honest: Behaviour[] = [
    reply(202, json),
    reply(299, json, { 'content-type': 'text/plain' }),
    reply(200, `\ufeff${json}`),
    reply(200, gzipSync(json), { 'content-encoding': 'GZIP' }),
    reply(200, deflateSync(json), { 'content-encoding': 'deflate' }),
    reply(200, deflateRawSync(json), { 'content-encoding': 'deflate' }),
    reply(200, brotliCompressSync(json), { 'content-encoding': 'br' }),
    interim,
  ]
  for (const behave of honest) {
    const { api } = await createClient(behave)
    const running = { status: 'running', progress: { value: 42, scale: 'percent' }, pageCount: 7 }
    expect(await api.getStaticExport('12')).toMatchObject(running)
    expect(await api.startStaticExport({ domain: 'docs.example.com' })).toMatchObject({ ...running, jobId: '12' })
  }
})

test('only the fields set by the caller are sent, as JSON, with the key in the header', async () => {
  const { api, server } = await createClient(replyJson(202, { jobId: 'e' }))
  await api.startStaticExport({ domain: 'docs.example.com' })
  await api.startStaticExport({ domain: 'docs.example.com', version: 'v2', paths: ['/a'] })
  expect(server.heard.map((request) => JSON.parse(request.body) as unknown)).toEqual([
    { domain: 'docs.example.com' },
    { domain: 'docs.example.com', version: 'v2', paths: ['/a'] },
  ])
  expect(server.heard[0]?.headers).toMatchObject({
    authorization: `Bearer ${canaryKey}`,
    'content-type': 'application/json',
  })
})

test('the second key is used for reads and the first for writes, and the outcome names the key that was used', async () => {
  const outcomes: unknown[] = []
  const { api, server } = await createClient(replyJson(401, {}), {
    readKey: () => 'adm_read-key',
    onOutcome: ({ operation, key, error }) => outcomes.push([operation, key, error?.code]),
  })
  const errors = [await readFailure(api.getStaticExport('e')), await readFailure(api.generateBundle('e'))]
  expect(server.heard.map((request) => request.headers['authorization'])).toEqual([
    'Bearer adm_read-key',
    `Bearer ${canaryKey}`,
  ])
  expect(errors[0]?.message).toContain('ADMIN_API_READ_KEY')
  expect(errors[1]?.message).not.toContain('ADMIN_API_READ_KEY')
  expect(outcomes).toEqual([
    ['getStaticExport', 'read', 'upstream_key_rejected'],
    ['generateBundle', 'main', 'upstream_key_rejected'],
  ])
})
