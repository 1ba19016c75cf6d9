import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { CodeHostOptions } from '@docket/code-hosts/api/services'
import type { Project, Projects } from '@docket/code-hosts/code-host'
import { openEmbeddedProject } from '@docket/code-hosts/embedded/embedded-project'
import { openProjects } from '@docket/code-hosts/projects'
import type { Runner } from '@docket/doc-agent/runners/runner'
import type { RepositoryRules } from '@docket/doc-agent/work/repository-rules'
import { openWorkFolders } from '@docket/sandbox/work-folders'
import { writeFolder } from '@docket/sources/testing/files'
import { onTestFinished } from 'vitest'
import { createAgentJobStore, toRow } from '#agent-jobs/agent-job-store.ts'
import type { AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { createAgentJobService, isRefusal } from '#agent-jobs/agent-jobs.service.ts'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import { createJobLogs } from '#agent-jobs/job-logs.ts'
import type { Database } from '#database/database.ts'
import { openQueues, type Queues } from '#database/queues.ts'
import { silentLog } from '#log.ts'
import { nextChange, testDatabase } from '#testing/database.ts'

/** Writes a page that is named after its prompt. */
export const writingRunner: Runner = {
  model: 'test',
  run: async ({ prompt, checkout }) => {
    await writeFile(join(checkout, `${prompt}.md`), `${prompt}\n`)
    return { report: [`Wrote ${prompt}.`], usage: null, checks: null }
  },
}

/** A database with the agent jobs of another one, as a process finds them that nobody gave work to. */
export const copyJobs = async (from: Database): Promise<Database> => {
  const [rows, copy] = [await from.select().from(agentJobs), await testDatabase()]
  await copy.insert(agentJobs).values(rows.map((row) => ({ ...row, queuedAt: null })))
  return copy
}

/** Where files come from that nobody changes: no job reads them again. */
const sameForever = { sync: async () => {}, push: async () => null }

const readFiles = async (folder: string): Promise<Record<string, Uint8Array>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path)] as const)),
  )
}

/** Files of the project of `startFiles` when no job has worked on it. git writes them once, and they are copied from then on. */
let untouched: Record<string, Uint8Array> | undefined
const startFiles = { 'index.md': 'start\n' }

/**
 * The agent jobs of a project `docs`, or of the projects in `sources`, without a server and a process in front of them; closed with the
 * test. Folders are read when their repository is made, and never again. `watch` wraps each project.
 */
export const startService = async (
  options: {
    dataDir?: string
    database?: Database
    source?: string
    sources?: Record<string, string>
    watch?: (project: Project) => Project
    runner?: Runner
    now?: () => Date
    limits?: Parameters<typeof createAgentJobService>[0]['limits']
    rules?: Partial<RepositoryRules>
    codeHosts?: readonly CodeHostOptions[]
  } = {},
) => {
  const { runner = writingRunner, now = () => new Date(), watch = (project) => project, limits = {} } = options
  const isUntouched = [options.dataDir, options.source, options.sources].every((option) => option === undefined)
  const dataDir = options.dataDir ?? (await writeFolder(isUntouched ? (untouched ?? {}) : {}))
  const source = options.source ?? (await writeFolder(startFiles))
  const opened = openProjects({
    sources: options.sources ?? { docs: source },
    codeHosts: options.codeHosts,
    place: (...names) => join(dataDir, ...names),
    now,
  })
  const { repositories } = opened
  if (isUntouched && untouched === undefined) {
    await repositories.open('docs')
    untouched = await readFiles(dataDir)
  }
  const projects: Projects = {
    ...opened.projects,
    open: async (projectId) => {
      const repository = await repositories.open(projectId)
      const project = repository
        ? openEmbeddedProject({ ...repository, origin: sameForever }, now)
        : await opened.projects.open(projectId)
      return project && watch(project)
    },
  }
  const database = options.database ?? (await testDatabase())
  let queues: Queues | undefined
  const agentService = createAgentJobService({
    store: createAgentJobStore(database),
    queues: () => queues!,
    projects,
    codeHost: null,
    runner,
    workFolders: await openWorkFolders(dataDir),
    logs: createJobLogs(database, silentLog),
    now,
    log: silentLog,
    limits: { ...limits, rules: options.rules ?? {} },
  })
  queues = await openQueues({
    runSql: (text, values) => database.$client.query(text, values),
    queues: agentService.queues,
    alone: false,
    log: silentLog,
  })
  await agentService.resume()
  const service = {
    ...agentService,
    close: async () => {
      await queues.close(10_000)
      await agentService.close()
    },
  }
  onTestFinished(() => service.close())
  const finished = async (id: string, projectId = 'docs'): Promise<AgentJobRecord> => {
    const changed = nextChange(database)
    const job = (await service.get(projectId, id))!
    if (job.status !== 'active') return job
    await changed
    return finished(id, projectId)
  }
  /** Writes a job as it is. */
  const write = async (job: AgentJobRecord) => {
    const row = { ...toRow(job), attemptId: null, queuedAt: null }
    await database.insert(agentJobs).values(row).onConflictDoUpdate({ target: agentJobs.id, set: row })
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
    write,
    database,
    project: (await opened.projects.open(projects.projectIds[0]!))!,
    repositories,
    dataDir,
    source,
    finished,
    run,
  }
}
