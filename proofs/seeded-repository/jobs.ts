import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { setTimeout as delay } from 'node:timers/promises'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { onEnd } from '#bench/harness/cleanup.ts'

const run = promisify(execFile)
const key = 'prove_key-0123456789'

type Job = { id: string; status: string; prLink: string | null }

/** Result of a job: the address of its pull request (null without changes), and its report. */
export type Ended = { pull: string | null; report: string }

/** The local Admin API with the repository that is in `dataDir`, and what a person does with its agent jobs. */
export const startJobs = async (dataDir: string) => {
  // Loaded late: what is planted must be there first.
  const { localAdminApi } = await import('#packages/local-admin-api/src/local-admin-api.ts')
  const { scratchDatabase } = await import('#packages/local-admin-api/src/testing/scratch-database.ts')
  const { database, stop } = await scratchDatabase()
  const folder = join(dataDir, 'unused')
  mkdirSync(folder, { recursive: true })
  const api = await localAdminApi({ dataDir, database, sites: {}, projects: { docs: folder }, key })
  const close = onEnd(() => api.close().then(stop))
  const call = async (path: string, body?: object) => {
    const response = await fetch(api.url + path, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return (await response.json()) as Job
  }
  const runJob = async (maintenance: object): Promise<Ended> => {
    let job = await call('/v2/agent/docs/job', { maintenance })
    while (job.status === 'active') {
      await delay(50)
      job = await call(`/v2/agent/docs/job/${job.id}`)
    }
    const query = 'select turns from embedded_service.agent_jobs where id = $1'
    const { rows } = await database.$client.query<{ turns: { report: string[] }[] }>(query, [job.id])
    const { turns } = rows[0]!
    const report = turns.flatMap((turn) => turn.report).join('\n')
    // A failed job proves nothing.
    if (job.status !== 'completed') throw new Error(`${JSON.stringify(maintenance)} ${job.status}: ${report}`)
    return { pull: job.prLink, report }
  }
  const merge = async (pull: string) => {
    const number = Number(pull.split('/').at(-1))
    const { head = '' } = (await api.codeHost.readPull('docs', number)) ?? {}
    const merged = await api.codeHost.runAction('merge', { projectId: 'docs', number, head })
    if (merged?.changed !== true) throw new Error(`${pull} was not merged: ${merged?.refused}`)
  }
  /** Files of the main branch by path. Never in one go: a service that is kept from answering loses its connections. */
  const files = async (): Promise<Map<string, string>> => {
    const tree = temporaryFolder()
    const tar = join(tree, 'main.tar')
    await run('git', ['--git-dir', join(dataDir, 'code-host', 'docs.git'), 'archive', '-o', tar, 'main'])
    await run('tar', ['-xf', tar, '-C', tree])
    await rm(tar)
    const entries = await readdir(tree, { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
    return new Map(paths.map((path, index) => [relative(tree, path), texts[index]!]))
  }
  return { run: runJob, merge, files, close }
}
