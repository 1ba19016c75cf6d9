import { readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { createAgentJobStore } from '#agent-jobs/agent-job-store.ts'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import { importAgentJobs } from '#agent-jobs/import-agent-jobs.ts'
import { createJobLogs } from '#agent-jobs/job-logs.ts'
import type { Database } from '#database/database.ts'
import { silentLog } from '#log.ts'
import { testDatabase } from '#testing/database.ts'

const at = '2026-01-01T00:00:00.000Z'
const turn = { prompt: 'Fix links', sentAt: at, startedAt: at, finishedAt: at, outcome: 'completed', commit: null }
const base = { projectId: 'docs', status: 'completed', model: 'x', pullRequest: null, createdAt: at, archivedAt: null }
const record = (id: string, report: string[]) => ({ ...base, id, turns: [{ ...turn, report }] })

test('jobs from files of an earlier version are imported exactly once with their logs, even after a crash', async () => {
  const ids = Array.from({ length: 130 }, (_, number) => `job-${number}`)
  const files = ids.map((id) => [`agent-jobs/${id}.json`, JSON.stringify(record(id, [`NUL \0 of ${id}`]))] as const)
  const dataDir = await writeFolder({
    ...Object.fromEntries(files),
    'agent-jobs/half.json': '{"id":',
    'agent-job-logs/job-1.900.log': 'a line\n',
    'agent-job-logs/job-1.0.log': 'an older file that a crash left\n',
    'agent-job-logs/nobody.0.log': 'of no job\n',
  })
  const folders = { jobs: join(dataDir, 'agent-jobs'), logs: join(dataDir, 'agent-job-logs') }
  const db = await testDatabase()
  const [store, logs] = [createAgentJobStore(db), createJobLogs(db, silentLog)]
  const warnings: string[] = []
  const log = { ...silentLog, warn: (fields: object) => void warnings.push(JSON.stringify(fields)) }
  // Ends in the second batch.
  let batches = 0
  const flaky = new Proxy(db, {
    get: (target, name: keyof Database) => {
      if (name === 'transaction' && (batches += 1) > 1) throw new Error('The connection is lost.')
      const found: unknown = target[name]
      return typeof found === 'function' ? (found.bind(target) as unknown) : found
    },
  })
  await expect(importAgentJobs(flaky, folders, null, log)).rejects.toThrow('The connection is lost.')
  expect(await db.$count(agentJobs)).toBe(100)
  expect(readdirSync(dataDir).toSorted()).toEqual(['agent-job-logs', 'agent-jobs'])
  await importAgentJobs(db, folders, null, log)
  expect(await db.$count(agentJobs)).toBe(130)
  expect((await store.find('job-7'))!.turns[0]!.report).toEqual(['NUL \ufffd of job-7'])
  expect(await logs.read('job-1', 0)).toMatchObject({ nextOffset: 907, isCut: true, isAtEnd: true })
  expect((await logs.read('job-1', 900)).text).toBe('a line\n')
  expect(warnings.join('')).toContain('half.json')
  expect(readdirSync(dataDir).toSorted()).toEqual(['agent-job-logs.imported', 'agent-jobs.imported'])
  expect(readdirSync(join(dataDir, 'agent-jobs.imported'))).toHaveLength(131)

  // An earlier version ran in between.
  await mkdir(folders.jobs)
  await writeFile(join(folders.jobs, 'later.json'), JSON.stringify(record('later', [])))
  await writeFile(join(folders.jobs, 'job-7.json'), JSON.stringify(record('job-7', ['older'])))
  await importAgentJobs(db, folders, null, log)
  expect((await store.find('job-7'))!.turns[0]!.report).toEqual(['NUL \ufffd of job-7'])
  expect(await store.find('later')).not.toBe(null)
  expect(readdirSync(dataDir)).toContain('agent-jobs.imported-2')
})
