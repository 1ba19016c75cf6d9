import { expect, test } from 'vitest'
import { replyJson } from '#admin-api/testing/hostile-admin-api.ts'
import { clientOf } from '#admin-api/testing/hostile-client.ts'
import { AppError } from '#http/app-error.ts'

const refused = [
  '',
  '.',
  '..',
  'a\u0000b',
  'a\r\nHost: evil.example',
  'a\tb',
  'a\u007fb',
  'a\u0085b',
  'x'.repeat(257),
  '\ud800',
  'a\udc00b',
]
const encoded = [
  'plain-1_2.3~4',
  '...',
  '.a',
  '..a',
  '%',
  '%2e',
  '%2e%2e',
  '.%2e',
  '%2E.',
  '..%2f',
  '%00',
  '../..',
  '..\\..',
  '/',
  '//',
  '\\',
  'a/b',
  '/etc/passwd',
  '//evil.example/x',
  'https://evil.example/',
  '?',
  '?x=1',
  '#',
  '#x',
  'a?b#c',
  'a;b',
  ';/..',
  '@evil.example',
  ':80',
  'a b',
  '+',
  '&',
  '=',
  '"',
  "'",
  '<script>',
  '{jobId}',
  '|',
  '^',
  '`',
  '[',
  ']',
  '*',
  '(',
  ')',
  '!',
  '~',
  '$',
  ',',
  'é',
  '日本',
  '😀',
  '\u202e',
  '\u200b',
  '\u2044',
  '\uff0f',
  '\uff0e\uff0e',
  '\u2025',
  '\ufffd',
  'x'.repeat(256),
  'ü'.repeat(256),
  'bundle',
  'job',
  'jobs/1/bundle',
  '1/bundle',
  '__proto__',
  'constructor',
  'null',
  '0',
  '-1',
  '1e9',
]

// What a request for one record may look like on the line; the parts in between hold no separator and are no dot segment.
const part = "(?!(?:\\.|%2[eE]){1,2}(?:/|$))[A-Za-z0-9\\-_.!~*'()%]+"
const templates = {
  agentJob: new RegExp(`^/base/v2/agent/${part}/job/${part}$`),
  staticExport: new RegExp(`^/base/v1/static-export/jobs/${part}$`),
  bundle: new RegExp(`^/base/v1/static-export/jobs/${part}/bundle$`),
}
const decoded = (path: string, index: number) => decodeURIComponent(path.split('/')[index] ?? '')

test('no pair of project and job id leaves the template of the agent job, and the service decodes exactly what was asked', async () => {
  const { server, api: probe } = await clientOf(replyJson(200, { status: 'active', jobId: 'e' }))
  const { api } = await clientOf(replyJson(200, {}), { baseUrl: `${server.baseUrl}/base/` })
  await probe.close()
  const pairs = encoded.flatMap((one, at) => [
    [one, 'job-1'],
    ['project-1', one],
    [one, one],
    ...[7, 19, 31].map((step) => [one, encoded[(at + step) % encoded.length] ?? '']),
  ])
  expect(pairs.length).toBeGreaterThan(300)
  for (const [projectId = '', id = ''] of pairs) {
    await api.getAgentJob({ projectId, id })
    const path = server.heard.at(-1)?.path ?? ''
    expect(path).toMatch(templates.agentJob)
    expect(URL.parse(`http://h${path}`)?.pathname).toBe(path)
    expect([decoded(path, 4), decoded(path, 6)]).toEqual([projectId, id])
  }
  expect(server.heard).toHaveLength(pairs.length)
})

test('no job id leaves the templates of an export and its bundle', async () => {
  const grant = { status: 'queued', bundleUrl: 'https://store.example/b' }
  const { server } = await clientOf(replyJson(200, grant))
  const { api } = await clientOf(replyJson(200, {}), { baseUrl: `${server.baseUrl}/base` })
  for (const id of encoded) {
    await api.getStaticExport(id)
    expect(server.heard.at(-1)).toMatchObject({
      method: 'GET',
      path: expect.stringMatching(templates.staticExport) as string,
    })
    await api.generateBundle(id)
    expect(server.heard.at(-1)).toMatchObject({
      method: 'POST',
      path: expect.stringMatching(templates.bundle) as string,
    })
    expect(decoded(server.heard.at(-1)?.path ?? '', 5)).toBe(id)
  }
})

test('an id that cannot be a path segment is refused before anything is sent', async () => {
  const { api, server } = await clientOf(replyJson(200, { status: 'completed' }))
  for (const id of refused) {
    const calls = [
      api.getStaticExport(id),
      api.generateBundle(id),
      api.getAgentJob({ projectId: id, id: 'job-1' }),
      api.getAgentJob({ projectId: 'project-1', id }),
    ]
    for (const error of await Promise.all(calls.map((call) => call.catch((reason: unknown) => reason)))) {
      expect(error).toBeInstanceOf(AppError)
      expect(error).toMatchObject({ code: 'invalid_request' })
    }
  }
  expect(server.heard).toEqual([])
})

test('a jobId that could not be used later is no jobId, so the start stays in doubt', async () => {
  for (const jobId of [...refused, ' ', null, true, {}, [], 1.5, 2 ** 60]) {
    const { api } = await clientOf(replyJson(202, { jobId }))
    const started = api.startStaticExport({ domain: 'docs.example.com' })
    await expect(started).rejects.toMatchObject({ code: 'upstream_unexpected', effect: 'unknown' })
  }
})
