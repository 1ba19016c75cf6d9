import { createHash } from 'node:crypto'
import { linkProblems } from '@docket/site-exporter/testing/site'
import { writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { exportWorker } from '#static-exports/export-process.ts'
import { startApi } from '#testing/api.ts'
import { filesOfBundle } from '#testing/bundle.ts'

const jobs = '/v1/static-export/jobs'
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const readBytes = async (response: Response) => new Uint8Array(await response.arrayBuffer())

test('a site is exported to a bundle of pages without broken links', async () => {
  const { call, finished, bundle } = await startApi({ exports: { workerProgram: exportWorker } })
  const started = await call('POST', jobs, { domain: 'docs.localhost', version: 'v2' })
  expect(started.status).toBe(202)
  const job = (await started.json()) as { jobId: string; status: string; error: unknown }
  expect(job).toMatchObject({ status: 'queued', domain: 'docs.localhost', progress: 0, pageCount: 0, error: null })

  expect(await finished(job.jobId)).toMatchObject({ status: 'completed', progress: 100, pageCount: 2 })
  const { bundleUrl, sizeBytes, expiresAt } = await bundle(job.jobId)
  const response = await fetch(bundleUrl)
  const archive = await readBytes(response)
  expect(archive.length).toBe(sizeBytes)
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now())

  const files = await filesOfBundle(archive)
  expect([...files.keys()]).toEqual([...files.keys()].toSorted())
  expect(files.get('guide/start.html')).toContain('<span class="version">v2</span>')
  expect(linkProblems(files)).toEqual([])
})

test('every call of the Admin API needs the key, and every wrong key is answered with 401 and an error', async () => {
  const { call, start } = await startApi()
  const { jobId } = await start()
  for (const authorization of [
    '',
    'Bearer',
    'Bearer test_012345678',
    'Basic test_0123456789',
    'Bearer test_0123456789x',
  ]) {
    for (const [method, path] of [
      ['POST', jobs],
      ['GET', `${jobs}/${jobId}`],
      ['POST', `${jobs}/${jobId}/bundle`],
      ['GET', '/v2/agent/docs/job/x'],
      ['POST', '/v2/agent/docs/job'],
      ['POST', '/v2/agent/docs/job/x/message'],
    ] as const) {
      const response = await call(method, path, method === 'POST' ? {} : undefined, { authorization })
      expect(response.status).toBe(401)
      expect(await response.json()).toEqual({ error: expect.any(String) as unknown })
    }
  }
})

test('an export request without JSON, a served hostname or an existing page is refused with 400 and a readable error', async () => {
  const { call } = await startApi()
  for (const [body, sentence] of [
    ['{', /JSON object/],
    [{}, /domain/],
    [{ domain: 'elsewhere.localhost' }, /elsewhere\.localhost/],
    [{ domain: 'https://docs.localhost/' }, /hostname/],
    // Named like a property of objects.
    [{ domain: 'constructor' }, /no site/],
    [{ domain: 'docs.localhost', paths: ['guide/start', 'guide/nope'] }, /guide\/nope/],
    [{ domain: 'docs.localhost', paths: 'guide' }, /paths/],
    [{ domain: 'docs.localhost', paths: [] }, /paths/],
    [{ domain: 'docs.localhost', paths: ['guide/start', '/guide/start'] }, /twice/],
    [{ domain: 'docs.localhost:443' }, /hostname/],
  ] as const) {
    const response = await call('POST', jobs, body)
    const refused = [body, 400, { error: expect.stringMatching(sentence) as unknown }]
    expect([body, response.status, await response.json()]).toEqual(refused)
  }
})

test('an unknown job is answered with 404, and a bundle before completion with 409', async () => {
  const { call, start, finished } = await startApi()
  for (const id of ['nope', '..%2F..', '%00', 'constructor']) {
    expect((await call('GET', `${jobs}/${id}`)).status).toBe(404)
    expect((await call('POST', `${jobs}/${id}/bundle`)).status).toBe(404)
  }
  const slow = await start('slow-60.sentinel.test')
  expect((await call('POST', `${jobs}/${slow.jobId}/bundle`)).status).toBe(409)
  const failing = await start('fails.sentinel.test')
  expect((await call('POST', `${jobs}/${failing.jobId}/bundle`)).status).toBe(409)
  expect(finished).toBeTypeOf('function')
})

test('the same content gives the same bundle bytes in every folder and installation', async () => {
  const digests = []
  for (let round = 0; round < 2; round++) {
    const { start, finished, bundle } = await startApi()
    const { jobId } = await start()
    await finished(jobId)
    digests.push(sha256(await readBytes(await fetch((await bundle(jobId)).bundleUrl))))
  }
  expect(digests[0]).toBe(digests[1])
})

test('a bundle can be read in ranges, and resumed only while it is unchanged', async () => {
  const { start, finished, bundle } = await startApi()
  const { jobId } = await start()
  await finished(jobId)
  const { bundleUrl, sizeBytes } = await bundle(jobId)
  const whole = await fetch(bundleUrl)
  const bytes = await readBytes(whole)
  const etag = whole.headers.get('etag')!
  const read = (headers: Record<string, string>, method = 'GET') => fetch(bundleUrl, { method, headers })

  const rest = await read({ range: 'bytes=100-', 'if-range': etag })
  expect([rest.status, rest.headers.get('content-range')]).toEqual([206, `bytes 100-${sizeBytes - 1}/${sizeBytes}`])
  expect(sha256(await readBytes(rest))).toBe(sha256(bytes.slice(100)))
  expect(sha256(await readBytes(await read({ range: 'bytes=-7' })))).toBe(sha256(bytes.slice(-7)))
  expect(sha256(await readBytes(await read({ range: 'bytes=3-3' })))).toBe(sha256(bytes.slice(3, 4)))
  expect((await read({ range: 'bytes=100-', 'if-range': '"other"' })).status).toBe(200)
  expect((await read({ range: `bytes=${sizeBytes}-` })).status).toBe(416)
  expect((await read({ 'if-none-match': etag })).status).toBe(304)
  const head = await read({}, 'HEAD')
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(sizeBytes)])
})

test('a link that expired, was changed, or belongs to another bundle is answered with 403', async () => {
  let time = Date.parse('2026-01-01T00:00:00Z')
  const { start, finished, bundle } = await startApi({ now: () => new Date(time) })
  const [one, two] = [await start(), await start()]
  await finished(two.jobId)
  const link = new URL((await bundle(one.jobId)).bundleUrl)
  const fetchStatus = async (change: (url: URL) => void) => {
    const url = new URL(link)
    change(url)
    return (await fetch(url)).status
  }
  expect(await fetchStatus(() => {})).toBe(200)
  expect(await fetchStatus((url) => (url.pathname = url.pathname.replace(one.jobId, two.jobId)))).toBe(403)
  for (const [name, value] of [
    ['signature', '0'.repeat(64)],
    ['signature', ''],
    ['signature', 'zz'.repeat(32)],
    ['signature', `${link.searchParams.get('signature')}00`],
    ['expires', '99999999999'],
    ['nonce', 'other'],
  ] as const) {
    expect(await fetchStatus((url) => url.searchParams.set(name, value))).toBe(403)
  }
  time += 15 * 60_000
  expect(await fetchStatus(() => {})).toBe(403)
  expect((await fetch((await bundle(one.jobId)).bundleUrl)).status).toBe(200)
})

test('a strict service answers with exactly the fields of the specification', async () => {
  const { call, finished } = await startApi({ strict: true })
  const started = (await (await call('POST', jobs, { domain: 'docs.localhost' })).json()) as { jobId: string }
  expect(Object.keys(started)).toEqual(['jobId'])
  expect(await finished(started.jobId)).toEqual({ status: 'completed' })
  const bundle = (await (await call('POST', `${jobs}/${started.jobId}/bundle`)).json()) as object
  expect(Object.keys(bundle)).toEqual(['bundleUrl'])
})

test('a missing site folder is refused at the start, naming its path', async () => {
  await expect(startApi({ sites: { 'docs.localhost': '/nowhere/at/all' } })).rejects.toThrow('/nowhere/at/all')
  await expect(startApi({ sites: { 'docs.localhost': await writeFolder({}) } })).resolves.toBeDefined()
})
