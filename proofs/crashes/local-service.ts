import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startProcess } from '#bench/harness/processes.ts'
import { plantedEnvironment, type Fault } from '#proofs/harness/plant.ts'
import type { ServiceOrder } from './service.ts'

/** Fields of a static export or an agent job that the rows check. */
export type Job = {
  jobId: string
  id: string
  status: string
  progress: number
  pageCount: number
  error: string | null
  prLink: string | null
  startedAt: string | null
}

/** A local Admin API of its own process. */
export type LocalService = {
  pid: number
  /** Time when the server began to listen. Milliseconds of `performance.now()`. */
  listenedAt: number
  /** Starts an export, and answers with its id once the service has accepted it. */
  startExport: (domain: string) => Promise<string>
  export: (jobId: string) => Promise<Job>
  cancelExport: (jobId: string) => Promise<Job>
  /** SHA-256 of the bundle. */
  bundle: (jobId: string) => Promise<string>
  startAgentJob: (prompt: string, projectId?: string) => Promise<string>
  agentJob: (id: string, projectId?: string) => Promise<Job>
  cancelAgentJob: (id: string) => Promise<Job>
  /** Names of the refs of a project's repository. */
  listRefs: (projectId: string) => Promise<string[]>
  /** Ids of its worker processes. */
  workers: () => Promise<number[]>
  /** Resolves when the process is gone, whoever ended it. */
  gone: () => Promise<void>
  kill: () => Promise<void>
  stop: () => Promise<void>
}

const key = 'prove_key-0123456789'
const run = promisify(execFile)

/** Ids of the worker processes that a service started; they carry its id as their first argument. */
export const listWorkers = async (pid: number): Promise<number[]> => {
  const { stdout } = await run('ps', ['-eo', 'pid=,args='])
  return stdout
    .split('\n')
    .filter((line) => new RegExp(`/export-worker\\.ts ${pid} `).test(line))
    .map((line) => Number.parseInt(line, 10))
}

/** True while a process exists. A zombie counts as existing. */
const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Resolves with true when these processes have ended; with false after `withinMs`. */
export const allGone = async (pids: readonly number[], withinMs: number): Promise<boolean> => {
  const deadline = performance.now() + withinMs
  while (pids.some(isThere)) {
    if (performance.now() > deadline) return false
    await delay(50)
  }
  return true
}

/**
 * Starts one on `dataDir` with `faults` in its sources and, because its workers are processes of their own, in theirs.
 */
export const startService = async (
  order: Pick<ServiceOrder, 'dataDir' | 'databaseUrl' | 'projects' | 'exports' | 'store'> & {
    site: string
    faults: readonly Fault[]
  },
): Promise<LocalService> => {
  const { site, faults, ...given } = order
  const { dataDir } = given
  const options: ServiceOrder = { ...given, key, sites: { 'docs.localhost': site } }
  const service = await startProcess(
    process.execPath,
    [join(import.meta.dirname, 'service.ts')],
    plantedEnvironment(faults.length === 0 ? faults : [...faults, alsoInWorkers]),
    JSON.stringify(options),
  )
  const { pid, address } = service
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(address + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Job & { bundleUrl: string }
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`)
    return answer
  }
  const gone = async () => {
    if (!(await allGone([pid], 60_000))) throw new Error('the service did not end')
    await service.stop()
  }
  return {
    pid,
    listenedAt: performance.now(),
    startExport: async (domain) => (await call('POST', '/v1/static-export/jobs', { domain })).jobId,
    export: (jobId) => call('GET', `/v1/static-export/jobs/${jobId}`),
    cancelExport: (jobId) => call('DELETE', `/v1/static-export/jobs/${jobId}`),
    bundle: async (jobId) => {
      const { bundleUrl } = await call('POST', `/v1/static-export/jobs/${jobId}/bundle`)
      const bytes = new Uint8Array(await (await fetch(bundleUrl)).arrayBuffer())
      return createHash('sha256').update(bytes).digest('hex')
    },
    startAgentJob: async (prompt, projectId = 'docs') =>
      (await call('POST', `/v2/agent/${projectId}/job`, { prompt })).id,
    agentJob: (id, projectId = 'docs') => call('GET', `/v2/agent/${projectId}/job/${id}`),
    cancelAgentJob: (id) => call('POST', `/v2/agent/docs/job/${id}/cancel`),
    listRefs: async (projectId) => {
      const gitDir = join(dataDir, 'code-host', `${projectId}.git`)
      const { stdout } = await run('git', ['--git-dir', gitDir, 'for-each-ref', '--format=%(refname)'])
      return stdout.trim().split('\n')
    },
    workers: () => listWorkers(pid),
    gone,
    kill: async () => {
      process.kill(pid, 'SIGKILL')
      await gone()
    },
    stop: service.stop,
  }
}

/** Worker processes inherit no environment, so faults cannot reach them by a variable. */
export const alsoInWorkers: Fault = {
  file: 'static-exports/export-process.ts',
  instead: "  TZ: 'UTC',",
  write:
    "  TZ: 'UTC', NODE_OPTIONS: process.env.NODE_OPTIONS, PLANTED_FAULTS: process.env.PLANTED_FAULTS, NODE_DISABLE_COMPILE_CACHE: '1',",
}
