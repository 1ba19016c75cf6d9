import { createAgentJobStore } from '#agent-jobs/agent-job-store.ts'
import type { LocalAdminApiOptions } from '#options.ts'
import { startApi } from '#testing/api.ts'
import { nextChange } from '#testing/database.ts'

type AgentJob = { id: string; status: string; model: string; prLink: string | null; archivedAt: string | null }

/** A local Admin API whose project `docs` is `folder`, with calls for its agent jobs. */
export const startAgentJobs = async (folder: string, options: Partial<LocalAdminApiOptions> = {}) => {
  const { api, call, dataDir, database } = await startApi({ sites: {}, projects: { docs: folder }, ...options })
  const create = async (prompt: string) =>
    (await (await call('POST', '/v2/agent/docs/job', { prompt })).json()) as AgentJob
  const read = async (id: string, projectId = 'docs') =>
    (await (await call('GET', `/v2/agent/${projectId}/job/${id}`)).json()) as AgentJob
  const send = (id: string, prompt: string) => call('POST', `/v2/agent/docs/job/${id}/message`, { prompt })
  const finished = async (id: string, projectId = 'docs'): Promise<AgentJob> => {
    const changed = nextChange(database)
    const job = await read(id, projectId)
    if (job.status !== 'active') return job
    await changed
    return finished(id, projectId)
  }
  const readRecord = async (id: string) => (await createAgentJobStore(database).find(id))!
  /** Reports of a job's turns. */
  const readReport = async (id: string) => (await readRecord(id)).turns.flatMap(({ report }) => report).join('\n')
  /** Title, description and changes of the pull request that a link leads to. */
  const readPull = async (prLink: string) => {
    const [, projectId = '', number] = /\/code\/([^/]+)\/pulls\/(\d+)$/.exec(prLink) ?? []
    const { title, body, changes } = (await api.codeHost.readPull(projectId, Number(number)))!
    const lines = changes.diff.files.flatMap((file) => [file.path, ...file.lines.map(({ text }) => text)])
    return [title, body, ...lines].join('\n')
  }
  /** Runs a prompt to its end and returns the job, its report, and its pull request. */
  const run = async (prompt: string) => {
    const job = await finished((await create(prompt)).id)
    const [page, pull] = await Promise.all([readReport(job.id), job.prLink === null ? '' : readPull(job.prLink)])
    return { job, page, pull }
  }
  return { api, call, dataDir, database, create, send, read, readRecord, readReport, readPull, finished, run }
}
