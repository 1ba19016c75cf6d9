import { scriptPrompts } from '@docket/doc-agent/testing/script-prompts'
import { writeFolder, temporaryFolder } from '@docket/sources/testing/files'
import { onTestFinished } from 'vitest'
import { localAdminApi } from '#local-admin-api.ts'
import { staticExports } from '#static-exports/static-exports.table.ts'
import type { LocalAdminApiOptions } from '#options.ts'
import { nextChange, testDatabase } from '#testing/database.ts'
import { exportInProcess } from '#testing/export-in-process.ts'

// Prompts of tests need neither a sandbox nor a model.
scriptPrompts()

/** A small site, enough to be exported. */
export const smallSite = {
  'index.md': '# Home\n\nSee [the guide](guide/start.md).\n',
  'guide/start.md': '# Start\n\nHello.\n',
}

/** Key of every local Admin API in the tests. */
export const key = 'test_0123456789'

type Job = { jobId: string; status: string; progress: number; pageCount: number; error: string | null }

/** A running local Admin API with calls for it; closed with the test. */
export const startApi = async (options: Partial<LocalAdminApiOptions> = {}) => {
  const dataDir = options.dataDir ?? (await temporaryFolder())
  const sites = options.sites ?? { 'docs.localhost': await writeFolder(smallSite) }
  const database = options.database ?? (await testDatabase())
  const inProcess = options.exports?.workerProgram === undefined ? { startExport: exportInProcess } : {}
  const api = await localAdminApi({ key, projects: {}, ...inProcess, ...options, database, dataDir, sites })
  onTestFinished(() => api.close())
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(api.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const start = async (domain = 'docs.localhost', more: object = {}) =>
    (await (await call('POST', '/v1/static-export/jobs', { domain, ...more })).json()) as Job
  const status = async (jobId: string) => (await (await call('GET', `/v1/static-export/jobs/${jobId}`)).json()) as Job
  /** Checks after each change until `done` is true. */
  const until = async (jobId: string, done: (job: Job) => boolean): Promise<Job> => {
    const changed = nextChange(database)
    const job = await status(jobId)
    if (done(job)) return job
    await changed
    return until(jobId, done)
  }
  const finished = (jobId: string) => until(jobId, (job) => job.status === 'completed' || job.status === 'failed')
  const bundle = async (jobId: string) =>
    (await (await call('POST', `/v1/static-export/jobs/${jobId}/bundle`)).json()) as {
      bundleUrl: string
      sizeBytes: number
      expiresAt: string
    }
  /** Ids of all exports in the database. */
  const listExports = async () => (await database.select().from(staticExports)).map(({ jobId }) => jobId)
  return { api, listExports, database, dataDir, sites, call, start, status, until, finished, bundle }
}
