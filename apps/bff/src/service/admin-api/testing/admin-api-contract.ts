import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import { httpAdminApi } from '#service/admin-api/http-admin-api.ts'
import type { HttpAdminApi } from '#service/admin-api/http-admin-api.ts'

/** A running service that the suite can be played against. */
export type ContractSubject = {
  baseUrl: string
  key: string
  /** A site that exports without trouble, and not before it was read once. */
  domain: string
  /** True when it lists the agent jobs of a project, which the contract does not show. */
  lists: boolean
  /** Names an agent job that exists. */
  agentJob: () => Promise<{ projectId: string; id: string }>
  close: () => Promise<void>
}

const isoUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const finished = async (api: AdminApi, jobId: string) => {
  for (;;) {
    const job = await api.getStaticExport(jobId)
    if (job.status === 'completed' || job.status === 'failed') return job
    await delay(50)
  }
}

/**
 * The guarantees that the four operations give with any honest service, over real HTTP. Every implementation of the
 * Admin API runs through the same ones.
 */
export const adminApiContract = (name: string, open: () => Promise<ContractSubject>) => {
  let subject: ContractSubject
  let api: HttpAdminApi
  const client = (key: string) => httpAdminApi({ baseUrl: subject.baseUrl, key: () => key })

  beforeAll(async () => {
    subject = await open()
    api = client(subject.key)
  })
  afterAll(async () => {
    await api.close()
    await subject.close()
  })

  test(`${name}: an export starts and completes, and its bundle can be downloaded without the key`, async () => {
    const { jobId } = await api.startStaticExport({ domain: subject.domain })
    expect(jobId).not.toBe('')
    expect((await finished(api, jobId)).status).toBe('completed')
    const grant = await api.generateBundle(jobId)
    const archive = new Uint8Array(await (await fetch(grant.bundleUrl)).arrayBuffer())
    expect(archive.length).toBeGreaterThan(0)
    expect(grant.sizeBytes ?? archive.length).toBe(archive.length)
  })

  test(`${name}: the bundle of a completed export can be requested repeatedly`, async () => {
    const { jobId } = await api.startStaticExport({ domain: subject.domain })
    await finished(api, jobId)
    for (let round = 0; round < 2; round += 1) {
      const { bundleUrl } = await api.generateBundle(jobId)
      expect((await fetch(bundleUrl)).status).toBe(200)
    }
  })

  test(`${name}: a bundle requested too early is a conflict without any effect`, async () => {
    const { jobId } = await api.startStaticExport({ domain: subject.domain })
    await expect(api.generateBundle(jobId)).rejects.toMatchObject({ code: 'upstream_conflict', effect: 'none' })
    await finished(api, jobId)
  })

  test(`${name}: every start creates its own job`, async () => {
    const jobs = [
      await api.startStaticExport({ domain: subject.domain }),
      await api.startStaticExport({ domain: subject.domain }),
    ]
    expect(new Set(jobs.map((job) => job.jobId)).size).toBe(2)
    for (const job of jobs) await finished(api, job.jobId)
  })

  test(`${name}: an agent job has its status, source, model and creation time`, async () => {
    const job = await api.getAgentJob(await subject.agentJob())
    expect(['active', 'completed', 'failed', 'archived']).toContain(job.status)
    expect(job.repository).toMatch(/^\S+$/)
    expect(job.model).toBeTypeOf('string')
    expect(job.createdAt).toMatch(isoUtc)
    expect(job.archivedAt).toBeNull()
  })

  test(`${name}: the jobs of a project are either listed or the list is refused`, async () => {
    const { projectId, id } = await subject.agentJob()
    const list = api.listAgentJobs({ projectId, skip: 0, take: 5 })
    if (!subject.lists) return expect(list).rejects.toMatchObject({ code: 'upstream_refused', effect: 'none' })
    const { jobs, skipped } = await list
    expect(jobs.find((job) => job.id === id)).toMatchObject({ title: 'Fix typos' })
    expect(skipped).toBe(0)
    expect(await api.listAgentJobs({ projectId, skip: 1_000, take: 5 })).toEqual({ jobs: [], entries: 0, skipped: 0 })
    return undefined
  })

  test(`${name}: records that do not exist are not found`, async () => {
    const { projectId } = await subject.agentJob()
    const missing = { code: 'upstream_not_found', effect: 'none' }
    await expect(api.getAgentJob({ projectId, id: 'no-such-job' })).rejects.toMatchObject(missing)
    await expect(api.getStaticExport('no-such-job')).rejects.toMatchObject(missing)
    await expect(api.generateBundle('no-such-job')).rejects.toMatchObject(missing)
    await expect(api.getStaticExport('a/../../b?c#d%2e')).rejects.toMatchObject(missing)
  })

  test(`${name}: a wrong key is rejected by all four operations`, async () => {
    const stranger = client('adm_not-the-right-key')
    const key = await subject.agentJob()
    const rejected = { code: 'upstream_key_rejected', effect: 'none' }
    await expect(stranger.getAgentJob(key)).rejects.toMatchObject(rejected)
    await expect(stranger.startStaticExport({ domain: subject.domain })).rejects.toMatchObject(rejected)
    await expect(stranger.getStaticExport('some-job')).rejects.toMatchObject(rejected)
    await expect(stranger.generateBundle('some-job')).rejects.toMatchObject(rejected)
    await stranger.close()
  })
}
