import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canary, startCodeHost } from '@docket/code-hosts/testing/code-host-servers'
import { temporaryFolder, writeFolder } from '@docket/sources/testing/files'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { createAgentJobStore } from '#agent-jobs/agent-job-store.ts'
import { createTurn } from '#agent-jobs/agent-job.ts'
import type { Database } from '#database/database.ts'
import { localAdminApi } from '#local-admin-api.ts'
import { silentLog } from '#log.ts'
import { startAgentJobs } from '#testing/agent-jobs.ts'
import { key, smallSite, startApi } from '#testing/api.ts'
import { testDatabase } from '#testing/database.ts'

const prompt = 'Replace "Price" with "Cost"'

/** A job that waits in no queue yet. */
const addJob = async (database: Database, codeHost: string): Promise<string> => {
  const turn = createTurn(prompt, new Date())
  const none = { pullRequest: null, archivedAt: null, branchRemoved: false }
  const job = { id: randomUUID(), projectId: 'docs', codeHost, status: 'active', model: 'x', turns: [turn] } as const
  await createAgentJobStore(database).add({ ...job, ...none, turns: [turn], createdAt: turn.sentAt })
  await database.execute(sql`update embedded_service.agent_jobs set queued_at = null where id = ${job.id}`)
  return job.id
}
const countEntries = async (database: Database, id: string) =>
  (await database.execute(sql`select 1 from pgboss.job where data->>'id' like ${`${id}%`}`)).rows.length

test('a process with a folder as project does not start while another process has an embedded code host', async () => {
  const [database, store] = [
    await testDatabase(),
    { kind: 'disk', folder: await temporaryFolder(), prefix: '' } as const,
  ]
  const folder = await writeFolder({ 'a.md': 'Price: 5\n' })
  const first = await startAgentJobs(folder, { database, store })
  const second = { database, store, projects: { handbook: folder } }
  await expect(startApi(second)).rejects.toThrow(
    /^Use git repositories of a code host .* in LOCAL_PROJECTS.* repositories of handbook would be/,
  )
  // Exports need no projects.
  await startApi({ ...second, serves: false, agent: { atOnce: 0 } })
  await first.api.close()
  await expect(startApi(second)).resolves.toBeDefined()
})

test('only the first serving process has the default project; a second one and workers start without it', async () => {
  const [database, store] = [
    await testDatabase(),
    { kind: 'disk', folder: await temporaryFolder(), prefix: '' } as const,
  ]
  const sites = { 'docs.localhost': await writeFolder(smallSite) }
  const warnings: string[] = []
  const log = { ...silentLog, warn: (_: object, message: string) => void warnings.push(message) }
  const start = async (more: { serves?: boolean; dataDir?: string } = {}) => {
    const api = await localAdminApi({ key, database, store, sites, log, dataDir: await temporaryFolder(), ...more })
    onTestFinished(api.close)
    return api
  }
  expect((await start({ serves: false })).projectIds).toEqual([])
  const [one, two] = await Promise.all([start(), start()])
  expect([one.projectIds, two.projectIds].toSorted((a, b) => a.length - b.length)).toEqual([[], ['docs']])
  expect(warnings).toEqual([expect.stringContaining('goes without its default project')])
})

test('jobs of an embedded repository run only in its process, and jobs of a remote code host in any', async () => {
  const [database, store] = [
    await testDatabase(),
    { kind: 'disk', folder: await temporaryFolder(), prefix: '' } as const,
  ]
  const host = await startCodeHost('gitea', { 'a.md': 'Price: 5\n' })
  const elsewhere = `git+${host.repository}#main`
  const folder = await writeFolder({ 'a.md': 'Price: 5\n' })
  const remote = { database, store, codeHosts: [{ kind: 'gitea', url: host.url, token: () => canary }] as const }
  const options = { ...remote, projects: { docs: folder, elsewhere } }
  const before = await startAgentJobs(folder, options)
  const { dataDir } = before
  await before.api.close()
  const marker = (await readFile(join(dataDir, 'code-host/id'), 'utf8')).trim()
  const waiting = await addJob(database, marker)

  const other = await startAgentJobs('', { ...remote, projects: { elsewhere } })
  const ask = async (service: typeof other) => {
    const response = await service.call('POST', '/v2/agent/elsewhere/job', { prompt })
    return ((await response.json()) as { id: string }).id
  }
  expect((await other.finished(await ask(other), 'elsewhere')).status).toBe('completed')
  expect(await countEntries(database, waiting)).toBe(0)

  const first = await startAgentJobs(folder, { ...options, dataDir })
  expect((await first.finished(waiting)).status).toBe('completed')
  expect(await other.read(waiting)).toMatchObject({ status: 'completed', pullRequest: { number: 1 } })
  const refused = await other.send(waiting, prompt)
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('another Docket on this')])
  await other.api.close()
  expect((await first.finished(await ask(first), 'elsewhere')).status).toBe('completed')
})

test('a process with a new data folder takes over the jobs of the old one, unless it has no workers', async () => {
  const [database, store] = [
    await testDatabase(),
    { kind: 'disk', folder: await temporaryFolder(), prefix: '' } as const,
  ]
  const folder = await writeFolder({ 'a.md': 'Price: 5\n' })
  const id = await addJob(database, 'gone')
  const idle = await startAgentJobs(folder, { database, store, agent: { atOnce: 0 } })
  const refused = await idle.call('POST', '/v2/agent/docs/job', { prompt })
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('works on no agent jobs')])
  expect(await countEntries(database, id)).toBe(1)
  await idle.api.close()
  const { finished } = await startAgentJobs(folder, { database, store })
  expect((await finished(id)).status).toBe('completed')
  expect(await countEntries(database, id)).toBe(1)
})
