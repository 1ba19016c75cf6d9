import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { drip, hang, raw, reply, replyJson, reset, stall } from '#service/admin-api/testing/hostile-admin-api.ts'
import type { Behaviour } from '#service/admin-api/testing/hostile-admin-api.ts'
import { canaryKey, createClient, readFailure, operations } from '#service/admin-api/testing/hostile-client.ts'
import type { Outcome } from './connection.ts'

const signature = 'SIGNATURE7c1d0canary'
const link = `https://store.example/bundle.tar.gz?X-Amz-Signature=${signature}&X-Amz-Expires=60`

/** Everything that a log, a response or a debugger could make of a value. */
const everything = (value: unknown): string => {
  const texts = [inspect(value, { depth: null, showHidden: true, getters: true }), JSON.stringify(value) ?? '']
  for (let error = value; error instanceof Error; error = error.cause) {
    texts.push(error.message, error.stack ?? '', String(error), JSON.stringify(Object.getOwnPropertyDescriptors(error)))
  }
  return texts.join('\n')
}

const leaks = (value: unknown): string[] => {
  const text = everything(value)
  const encodedKey = Buffer.from(canaryKey).toString('base64')
  const secrets = [
    canaryKey,
    canaryKey.slice(4, 24),
    canaryKey.slice(-16),
    encodedKey,
    signature,
    signature.slice(0, 12),
  ]
  return secrets.filter((secret) => text.includes(secret))
}

const echo = (status: number, sentence: unknown): Behaviour => replyJson(status, { error: sentence })
const split = `${canaryKey.slice(0, 9)}\u200b${canaryKey.slice(9)}`

const behaviours: [string, Behaviour][] = [
  ['the key', echo(401, `The key ${canaryKey} is not valid`)],
  ['the whole header', echo(403, `Authorization: Bearer ${canaryKey}`)],
  ['the key cut short', echo(403, `Unknown key ${canaryKey.slice(0, 20)}…`)],
  ['the end of the key', echo(403, `Unknown key …${canaryKey.slice(-18)}`)],
  ['the key in capitals', echo(400, canaryKey.toUpperCase())],
  ['the key in base64', echo(400, Buffer.from(canaryKey).toString('base64'))],
  ['the key with invisible characters inside', echo(400, `bad key ${split}`)],
  ['the key behind a lot of text', echo(400, `${'a '.repeat(235)}${canaryKey}`)],
  ['the key in other shapes', replyJson(400, { error: { message: canaryKey }, message: canaryKey, detail: canaryKey })],
  ['a presigned link', echo(409, `There is ${link} already`)],
  ['a link signed in its own way', echo(409, `See https://store.example/b?hmac=${signature}, please`)],
  ['a signature alone', echo(409, `X-Amz-Signature=${signature} is spent`)],
  ['somebody else’s bearer', echo(400, `used Bearer ${signature}`)],
  ['the key as a web page', reply(500, `<h1>${canaryKey} ${link}</h1>`)],
  ['the key in what is not JSON', reply(200, `${canaryKey} ${link}`)],
  ['the key in a redirect', reply(302, '', { location: `https://x.example/?key=${canaryKey}` })],
  ['the key in what is not HTTP', raw(`${canaryKey} ${link}\r\n\r\n`)],
  ['the key and then resets', reset],
  ['a link without a usable form', replyJson(200, { bundleUrl: `ftp://${signature}`, jobId: canaryKey })],
]

for (const [title, behave] of behaviours) {
  test(`no failure repeats a secret when the service sends ${title}`, async () => {
    const outcomes: Outcome[] = []
    const { api } = await createClient(behave, { onOutcome: (outcome) => outcomes.push(outcome) })
    for (const [, call] of operations) expect(leaks(await readFailure(call(api)))).toEqual([])
    expect(outcomes).toHaveLength(operations.length)
    expect(leaks(outcomes)).toEqual([])
    expect(leaks(api)).toEqual([])
  })
}

test('the leak check finds a secret in every place where it can hide', () => {
  expect(leaks(new Error('x', { cause: new Error(`key ${canaryKey}`) }))).not.toEqual([])
  expect(leaks(Object.assign(new Error('x'), { headers: { authorization: canaryKey } }))).not.toEqual([])
  expect(leaks({ deep: { deeper: { deepest: { link } } } })).not.toEqual([])
})

test('errors of time-outs and lost connections contain no secret', async () => {
  for (const behave of [hang, stall, drip]) {
    const { api } = await createClient(behave, { timeouts: { totalMs: 250 } })
    for (const [, call] of operations) expect(leaks(await readFailure(call(api)))).toEqual([])
  }
  const { api } = await createClient(hang, { baseUrl: 'http://127.0.0.1:9' })
  expect(leaks(await readFailure(api.getStaticExport('e')))).toEqual([])
})

test('an unreadable key counts as rejected, and the original error is dropped', async () => {
  const { api, server } = await createClient(hang, { key: () => Promise.reject(new Error(`cannot use ${canaryKey}`)) })
  const error = await readFailure(api.startStaticExport({ domain: 'docs.example.com' }))
  expect(error).toMatchObject({ code: 'upstream_key_rejected', effect: 'none' })
  expect(leaks(error)).toEqual([])
  expect(server.heard).toEqual([])
})

test('the key is removed from valid responses that contain it', async () => {
  const echoed = {
    status: `ok ${canaryKey}`,
    error: `failed with ${canaryKey} at ${link}`,
    model: canaryKey,
    prLink: `https://x.example/${canaryKey}`,
  }
  const { api } = await createClient(replyJson(200, { ...echoed, source: { repository: canaryKey, ref: canaryKey } }))
  expect(leaks(await api.getStaticExport('e'))).toEqual([])
  expect(leaks(await api.getAgentJob({ projectId: 'p', id: 'j' }))).toEqual([])
})

test('the value of an extra header is in no prose of a good answer, and may be in an id or a link', async () => {
  const value = 'canary-tenant-of-a-gateway'
  const prose = `No access for ${value}`
  const id = `${value}.1`
  const answer = {
    id,
    jobId: id,
    status: 'failed',
    error: prose,
    title: prose,
    report: prose,
    lastLine: prose,
    text: prose,
    nextOffset: 9,
    pullRequest: { title: prose },
    jobs: [{ id, title: prose, haultReason: prose }],
    bundleUrl: `https://store.example/${value}/b.tar.gz`,
  }
  const extra = { headers: { 'X-Tenant': value }, clientCertificate: null }
  const { api } = await createClient(replyJson(200, answer), { extra })
  const key = { projectId: 'p', id }
  const answers = [
    await api.getAgentJob(key),
    await api.listAgentJobs({ projectId: 'p', skip: 0, take: 9 }),
    await api.createAgentJob({ projectId: 'p', prompt: 'go' }),
    await api.readAgentJobLog({ ...key, offset: 0 }),
    await api.getStaticExport(id),
    await api.startStaticExport({ domain: 'docs.example.com' }),
  ]
  expect(JSON.stringify(answers).replaceAll(`"${id}"`, '')).not.toContain(value)
  expect(answers.slice(1)).toMatchObject([{ jobs: [{ id }] }, { id }, {}, {}, { jobId: id }])
  expect((await api.generateBundle(id)).bundleUrl).toContain(value)
})

test('an old key is still removed after it was replaced', async () => {
  let key = canaryKey
  const { api } = await createClient(echo(401, `${canaryKey} has expired`), { key: () => key })
  await readFailure(api.getStaticExport('e'))
  key = 'adm_the-new-key-of-today'
  expect(leaks(await readFailure(api.getStaticExport('e')))).toEqual([])
})

test.each([
  ['the admin key', canaryKey],
  ['the read key', 'adm_read-only-5d1b77c0'],
  ['a key in capitals', canaryKey.toUpperCase()],
  ['a key, percent-encoded', canaryKey.replaceAll('-', '%2D')],
  ['a key in base64', encodeURIComponent(Buffer.from(`Bearer ${canaryKey}`).toString('base64'))],
])('a bundle link that holds %s is refused without repeating it', async (_, secretText) => {
  const bundleUrl = `https://store.example/bundle.tar.gz?key=${secretText}&sig=${signature}`
  const { api } = await createClient(replyJson(200, { bundleUrl }), { readKey: () => 'adm_read-only-5d1b77c0' })
  const error = await readFailure(api.generateBundle('e'))
  expect(error).toMatchObject({ code: 'upstream_unexpected', message: expect.stringContaining('holds an admin key') })
  expect([...leaks(error), ...(everything(error).includes(secretText) ? [secretText] : [])]).toEqual([])
})
