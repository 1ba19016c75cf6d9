import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { inArray } from 'drizzle-orm'
import { toRecord, toRow } from '#agent-jobs/agent-job-store.ts'
import { parseAgentJob, type AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { agentJobOutput, agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import { toRows } from '#agent-jobs/job-logs.ts'
import type { Database } from '#database/database.ts'
import { isFolder, keepAsImported, readRecords } from '#files/old-records.ts'
import type { Log } from '#log.ts'
import type { OwnCodeHost } from '#service/claims.ts'

const batch = 100
/** Larger than any log that an earlier version kept. */
const maxLogBytes = 16 * 1024 * 1024

/** Runs once and renames the folders to `….imported`. Jobs already in the database win. Repeatable after a crash. */
export const importAgentJobs = async (
  db: Database,
  folders: { jobs: string; logs: string },
  codeHost: OwnCodeHost | null,
  log: Log,
): Promise<void> => {
  if (await isFolder(folders.jobs)) {
    const found = await readRecords(folders.jobs, parseAgentJob, log)
    const findMarker = (projectId: string) => (codeHost?.projectIds.includes(projectId) ? codeHost.marker : null)
    const jobs = found
      .map((job) => ({ ...job, codeHost: findMarker(job.projectId) }))
      .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    const logs = await listLogs(folders.logs)
    for (let first = 0; first < jobs.length; first += batch)
      await importBatch(db, jobs.slice(first, first + batch), (id) => readLog(folders.logs, logs.get(id), log))
    await keepAsImported(folders.jobs)
    log.info({ jobs: jobs.length }, 'the agent jobs of an earlier version were imported')
  }
  if (await isFolder(folders.logs)) await keepAsImported(folders.logs)
}

type OldLog = { name: string; dropped: number }

/** Writes jobs with their logs and reads both back. Rejects without writing anything when they differ. */
const importBatch = (
  db: Database,
  jobs: readonly AgentJobRecord[],
  readOutput: (id: string) => Promise<{ at: number; bytes: Buffer } | null>,
): Promise<void> =>
  db.transaction(async (tx) => {
    const added = await tx.insert(agentJobs).values(jobs.map(toRow)).onConflictDoNothing().returning()
    const read = new Map(added.map((row) => [row.id, toRow(toRecord(row))]))
    for (const job of jobs.filter(({ id }) => read.has(id))) {
      if (!isDeepStrictEqual(read.get(job.id), toRow(job))) throw new Error(differs(job.id))
      const output = await readOutput(job.id)
      if (output === null || output.bytes.length === 0) continue
      const rows = await tx
        .insert(agentJobOutput)
        .values(toRows(job.id, output.at, output.bytes))
        .returning()
      const bytes = rows.toSorted((a, b) => a.startAt - b.startAt).map((row) => row.bytes)
      if (!Buffer.concat(bytes).equals(output.bytes)) throw new Error(differs(job.id))
    }
    const ids = jobs.map(({ id }) => id)
    const there = await tx.select({ id: agentJobs.id }).from(agentJobs).where(inArray(agentJobs.id, ids))
    if (there.length !== ids.length) throw new Error('Not all agent jobs of the earlier version could be imported.')
  })

const differs = (id: string) => `The agent job ${id} of an earlier version differs after its import. Its file was left.`

const listLogs = async (folder: string): Promise<Map<string, OldLog>> => {
  const logs = new Map<string, OldLog>()
  for (const name of (await isFolder(folder)) ? await readdir(folder) : []) {
    const [, id, digits] = /^([\w-]+)\.(\d{1,15})\.log$/.exec(name) ?? []
    if (id === undefined) continue
    const dropped = Number(digits)
    if (dropped >= (logs.get(id)?.dropped ?? 0)) logs.set(id, { name, dropped })
  }
  return logs
}

const readLog = async (folder: string, old: OldLog | undefined, log: Log) => {
  if (!old) return null
  const file = join(folder, old.name)
  const found = await lstat(file)
  if (found.isFile() && found.size <= maxLogBytes) return { at: old.dropped, bytes: await readFile(file) }
  log.warn({ file }, 'a log of an agent job could not be imported')
  return null
}
