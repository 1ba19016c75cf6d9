import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CodeHostOptions } from '@docket/code-hosts/api/services'
import type { Project, Projects } from '@docket/code-hosts/code-host'
import { openProjects } from '@docket/code-hosts/projects'
import type { Runner } from '@docket/doc-agent/runners/runner'
import type { RepositoryRules } from '@docket/doc-agent/work/repository-rules'
import { openWorkFolders } from '@docket/doc-agent/work/work-folders'
import { writeFolder, temporaryFolder } from '@docket/sources/testing/files'
import { onTestFinished } from 'vitest'
import { asAgentJob, type AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { agentJobService, isRefusal } from '#agent-jobs/agent-jobs.service.ts'
import { jobLogs } from '#agent-jobs/story/job-logs.ts'
import { jsonFolder } from '#files/json-folder.ts'
import { silentLog } from '#log.ts'

/** Writes a page that is named after its prompt. */
export const writingRunner: Runner = {
  model: 'test',
  run: async ({ prompt, checkout }) => {
    await writeFile(join(checkout, `${prompt}.md`), `${prompt}\n`)
    return { report: [`Wrote ${prompt}.`], usage: null, checks: null }
  },
}

/**
 * The agent jobs of a project `docs`, or of the projects in `sources`, without a server and a process in front of them; closed with the
 * test. `watch` wraps each project.
 */
export const startService = async (
  options: {
    dataDir?: string
    source?: string
    sources?: Record<string, string>
    watch?: (project: Project) => Project
    runner?: Runner
    now?: () => Date
    limits?: Parameters<typeof agentJobService>[0]['limits']
    rules?: Partial<RepositoryRules>
    codeHosts?: readonly CodeHostOptions[]
  } = {},
) => {
  const { runner = writingRunner, now = () => new Date(), watch = (project) => project, limits = {} } = options
  const dataDir = options.dataDir ?? (await temporaryFolder())
  const source = options.source ?? (await writeFolder({ 'index.md': 'start\n' }))
  const opened = openProjects({
    sources: options.sources ?? { docs: source },
    codeHosts: options.codeHosts,
    place: (...names) => join(dataDir, ...names),
    now,
  })
  const { repositories } = opened
  const projects: Projects = {
    ...opened.projects,
    open: async (projectId) => {
      const project = await opened.projects.open(projectId)
      return project && watch(project)
    },
  }
  const jobs = jsonFolder(join(dataDir, 'agent-jobs'), { parse: asAgentJob })
  const service = await agentJobService({
    jobs,
    projects,
    runner,
    workFolders: await openWorkFolders(dataDir),
    logs: jobLogs(join(dataDir, 'agent-job-logs'), silentLog),
    now,
    log: silentLog,
    limits: { ...limits, rules: options.rules ?? {} },
  })
  onTestFinished(() => service.close())
  const finished = async (id: string, projectId = 'docs'): Promise<AgentJobRecord> => {
    const job = service.get(projectId, id)!
    if (job.status !== 'active') return job
    await new Promise((resolve) => setTimeout(resolve, 10))
    return finished(id, projectId)
  }
  const known = (job: Awaited<ReturnType<typeof service.create>>) => {
    if (isRefusal(job)) throw new Error(`It was refused: ${job.kind}`)
    return job
  }
  /** Runs a prompt to its end; with `id` as a message to that job. */
  const run = async (prompt: string, id?: string) => {
    const job = id === undefined ? service.create('docs', prompt) : service.send('docs', id, prompt)
    return finished(known(await job).id)
  }
  const create = async (prompt: string, projectId = 'docs') => known(await service.create(projectId, prompt))
  return {
    service,
    create,
    jobs,
    project: (await opened.projects.open(projects.projectIds[0]!))!,
    repositories,
    dataDir,
    source,
    finished,
    run,
  }
}
