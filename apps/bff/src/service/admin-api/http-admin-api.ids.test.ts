import { expect, test } from 'vitest'
import { reply, replyJson } from '#service/admin-api/testing/hostile-admin-api.ts'
import { createClient } from '#service/admin-api/testing/hostile-client.ts'
import { builtIds, hostileIds, pathTemplates, refusedIds, readSegment } from '#service/admin-api/testing/hostile-ids.ts'
import { AppError } from '#ground/errors/app-error.ts'

/** Number of pairs of ids, of the 8,100 that there are. */
const samples = Number(process.env['SAMPLES'] ?? 420)

const isRefused = (id: string) => refusedIds.includes(id)

test('no pair of project and job id escapes the URL template, and the service decodes exactly the requested ids', async () => {
  const { server, api: probe } = await createClient(replyJson(200, { status: 'active', jobId: 'e' }))
  const { api } = await createClient(replyJson(200, {}), { baseUrl: `${server.baseUrl}/base/` })
  await probe.close()
  const ids = [...hostileIds, ...refusedIds]
  const all = [
    ...ids.flatMap((projectId) => ids.map((id) => [projectId, id] as const)),
    ...builtIds.flatMap((id) => [[id, 'job-1'] as const, ['project-1', id] as const]),
  ]
  // A prime step, so that any number of them has all kinds.
  const pairs = Array.from({ length: Math.min(samples, all.length) }, (_, n) => all[(n * 4_099) % all.length]!)
  let heard = 0
  for (const [projectId, id] of pairs) {
    const asked = api.getAgentJob({ projectId, id })
    if (isRefused(projectId) || isRefused(id)) await expect(asked).rejects.toMatchObject({ code: 'invalid_request' })
    else {
      await asked
      heard += 1
      const path = server.heard.at(-1)?.path ?? ''
      expect(path).toMatch(pathTemplates.agentJob)
      expect(URL.parse(`http://h${path}`)?.pathname).toBe(path)
      expect([readSegment(path, 4), readSegment(path, 6)]).toEqual([projectId, id])
    }
    expect(server.heard).toHaveLength(heard)
  }
})

test('no job id escapes the URL templates of an export and its bundle', async () => {
  const grant = { status: 'queued', bundleUrl: 'https://store.example/b' }
  const { server } = await createClient(replyJson(200, grant))
  const { api } = await createClient(replyJson(200, {}), { baseUrl: `${server.baseUrl}/base` })
  for (const id of [...hostileIds, ...builtIds.slice(0, samples / 10)]) {
    await api.getStaticExport(id)
    expect(server.heard.at(-1)).toMatchObject({
      method: 'GET',
      path: expect.stringMatching(pathTemplates.staticExport) as string,
    })
    await api.generateBundle(id)
    expect(server.heard.at(-1)).toMatchObject({
      method: 'POST',
      path: expect.stringMatching(pathTemplates.bundle) as string,
    })
    expect(readSegment(server.heard.at(-1)?.path ?? '', 5)).toBe(id)
  }
})

test('an id that cannot be a path segment is rejected before anything is sent', async () => {
  const { api, server } = await createClient(replyJson(200, { status: 'completed' }))
  for (const id of refusedIds) {
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

test('a start has an unknown outcome if its jobId cannot be used in later calls', async () => {
  for (const jobId of [...refusedIds, ' ', null, true, {}, []]) {
    const { api } = await createClient(replyJson(202, { jobId }))
    const started = api.startStaticExport({ domain: 'docs.example.com' })
    await expect(started).rejects.toMatchObject({ code: 'upstream_unexpected', effect: 'unknown' })
  }
})

test('an id that came as a number is kept digit for digit, and is the same job in later answers', async () => {
  for (const id of ['7', '0', '-5', '9007199254740993', '123456789012345678901234567890', '10.50']) {
    const { api, server } = await createClient(reply(200, `{"jobId": ${id}, "id": ${id}, "status": "active"}`))
    expect(await api.startStaticExport({ domain: 'docs.example.com' })).toMatchObject({ jobId: id })
    expect(await api.getStaticExport(id)).toMatchObject({ status: 'active' })
    expect(await api.getAgentJob({ projectId: 'p', id })).toMatchObject({ status: 'active' })
    expect(server.heard.at(-1)?.path).toBe(`/v2/agent/p/job/${id}`)
  }
})
