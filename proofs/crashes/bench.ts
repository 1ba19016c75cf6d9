import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ExportOptions } from '#packages/local-admin-api/src/options.ts'
import { readRows } from '#proofs/durability/database-rows.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'
import { startService, type Job, type LocalService } from './local-service.ts'

/** What one row of the crash table plays on: a service with data of its own, which may be killed and started again. */
export type CrashBench = {
  /** Starts the service on the data of this row. `crash` are faults that end a process at one exact place. */
  start: (options?: ExportOptions, crash?: readonly Fault[], projectIds?: readonly string[]) => Promise<LocalService>
  /** Waits until an export is as asked. Throws when it cannot become so any more, or not in time. */
  until: (service: LocalService, jobId: string, reached: (job: Job) => boolean) => Promise<Job>
  /** Waits until an export has ended. */
  ended: (service: LocalService, jobId: string) => Promise<Job>
  /** Waits until an agent job is not active any more. */
  agentEnded: (service: LocalService, id: string, projectId?: string) => Promise<Job>
  /** Number of pull requests that the embedded code host has for a project. */
  countPullRequests: (projectId: string) => number
  /** Waits until an agent job is at work. */
  agentStarted: (service: LocalService, id: string) => Promise<void>
  /** Ids of all exports in the database. */
  listExports: () => Promise<string[]>
  /** Ends every service of this row. */
  stop: () => Promise<void>
  /** Names of what attempts of exports left behind. */
  leftBehind: () => string[]
  /** Longest time from the start of a service until something that was there before had ended. Milliseconds. */
  maxMs: () => number
}

/** Within that time of a restart everything has ended. */
export const barMs = 120_000

/** A site of 21 pages, with 8 MB of pictures that do not compress. */
export const makeSite = (): string => {
  const site = temporaryFolder()
  mkdirSync(join(site, 'guide'))
  const pictures = Array.from({ length: 4 }, (_, nth) => `picture-${nth}.png`)
  for (const name of pictures) writeFileSync(join(site, name), randomBytes(2_000_000))
  const links = pictures.map((name) => `![A picture](${name})`).join('\n\n')
  writeFileSync(join(site, 'index.md'), `# Home\n\nTeh first page.\n\n${links}\n`)
  for (let nth = 0; nth < 20; nth += 1)
    writeFileSync(join(site, 'guide', `page-${nth}.md`), `# Page ${nth}\n\n\`\`\`ts\nconst page = ${nth}\n\`\`\`\n`)
  return site
}

/** `databaseUrl`: an empty database for the services of this row. `planted`: what is broken in all of them. */
export const crashBench = (databaseUrl: string, planted: readonly Fault[], limitMs: number): CrashBench => {
  const [dataDir, site] = [temporaryFolder(), makeSite()]
  const progress = new Map<string, number>()
  const services: LocalService[] = []
  /** A job may be between two processes, but not that long. */
  const withoutProcessMs = limitMs / 4
  let maxMs = 0

  const wait = async (service: LocalService, read: () => Promise<Job>, reached: (job: Job) => boolean) => {
    let idleSince = performance.now()
    for (;;) {
      const job = await read()
      if (job.progress < (progress.get(job.jobId) ?? 0)) throw new Error(`progress fell to ${job.progress}`)
      if (job.jobId !== undefined) progress.set(job.jobId, job.progress)
      if (reached(job)) return job
      if (job.status === 'failed' || job.status === 'completed')
        throw new Error(`it is ${job.status}: ${job.error ?? 'without a reason'}`)
      const now = performance.now()
      if (now - service.listenedAt > limitMs) throw new Error(`still ${job.status} ${limitMs / 1000} s after the start`)
      if (job.jobId !== undefined && (await service.workers()).length > 0) idleSince = now
      if (job.jobId !== undefined && now - idleSince > withoutProcessMs)
        throw new Error(`it stays ${job.status} without a process`)
      await delay(50)
    }
  }
  const toItsEnd = async (service: LocalService, read: () => Promise<Job>, isOver: (job: Job) => boolean) => {
    const job = await wait(service, read, isOver)
    maxMs = Math.max(maxMs, performance.now() - service.listenedAt)
    return job
  }
  const isOver = ({ status }: Job) => status === 'completed' || status === 'failed'
  return {
    start: async (exports = {}, crash = [], projectIds = ['docs']) => {
      const projects = Object.fromEntries(projectIds.map((projectId) => [projectId, site]))
      const faults = [...planted, ...crash]
      const service = await startService({ dataDir, databaseUrl, site, projects, exports, faults })
      services.push(service)
      return service
    },
    until: (service, jobId, reached) => wait(service, () => service.export(jobId), reached),
    ended: (service, jobId) => toItsEnd(service, () => service.export(jobId), isOver),
    agentEnded: (service, id, projectId) =>
      toItsEnd(
        service,
        () => service.agentJob(id, projectId),
        ({ status }) => status !== 'active',
      ),
    countPullRequests: (projectId) => {
      const gitDir = join(dataDir, 'code-host', `${projectId}.git`)
      if (!existsSync(gitDir)) return 0
      const refs = execFileSync('git', ['--git-dir', gitDir, 'for-each-ref', 'refs/pull/*/record'], {
        encoding: 'utf8',
      })
      return refs.split('\n').filter((line) => line !== '').length
    },
    agentStarted: async (service, id) => {
      while ((await service.agentJob(id)).startedAt === null) await delay(50)
    },
    listExports: async () => {
      const query = 'select job_id as "jobId" from embedded_service.static_exports'
      const rows = await readRows<Pick<Job, 'jobId'>>({ connectionString: databaseUrl }, query)
      return rows.map(({ jobId }) => jobId)
    },
    stop: async () => {
      for (const service of services) await service.stop()
    },
    leftBehind: () => [
      ...namesIn(join(dataDir, 'static-exports', 'work')),
      ...namesIn(join(dataDir, 'bundles', '.unfinished')),
    ],
    maxMs: () => maxMs,
  }
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Throws with `sentence` unless it is so. */
export const expectThat = (isSo: boolean, sentence: string): void => {
  if (!isSo) throw new Error(sentence)
}
