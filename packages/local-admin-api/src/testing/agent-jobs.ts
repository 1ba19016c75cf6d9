import type { LocalAdminApiOptions } from '#options.ts'
import { startApi } from '#testing/api.ts'

type AgentJob = { id: string; status: string; model: string; prLink: string | null; archivedAt: string | null }

/** A local Admin API whose project `docs` is `folder`, with calls for its agent jobs and pages. */
export const startAgentJobs = async (folder: string, options: Partial<LocalAdminApiOptions> = {}) => {
  const { api, call, dataDir } = await startApi({ sites: {}, projects: { docs: folder }, ...options })
  const create = async (prompt: string) =>
    (await (await call('POST', '/v2/agent/docs/job', { prompt })).json()) as AgentJob
  const read = async (id: string, projectId = 'docs') =>
    (await (await call('GET', `/v2/agent/${projectId}/job/${id}`)).json()) as AgentJob
  const send = (id: string, prompt: string) => call('POST', `/v2/agent/docs/job/${id}/message`, { prompt })
  const finished = async (id: string, projectId = 'docs'): Promise<AgentJob> => {
    const job = await read(id, projectId)
    if (job.status !== 'active') return job
    await new Promise((resolve) => setTimeout(resolve, 25))
    return finished(id, projectId)
  }
  const readPage = async (address: string) => (await fetch(address)).text()
  /** Runs a prompt to its end and returns the pages of the job and its pull request. */
  const run = async (prompt: string) => {
    const job = await finished((await create(prompt)).id)
    const [page, pull] = await Promise.all([
      readPage(`${api.url}/jobs/docs/${job.id}`),
      job.prLink === null ? '' : readPage(job.prLink),
    ])
    return { job, page, pull }
  }
  return { api, call, dataDir, create, send, read, finished, run, readPage }
}
