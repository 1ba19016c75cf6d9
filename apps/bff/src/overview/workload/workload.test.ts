import { WorkloadProcesses, WorkloadReport } from '@docket/api-types/workload'
import { expect, test } from 'vitest'
import { testApp } from '#testing/test-app.ts'
import { createWorkloadReader, type ReadWorkload } from './workload.ts'

const idle = { waiting: 0, running: 0, oldestWaitMs: 0 }
const serving = { host: 'web-1', serves: true, exports: 0, agents: 2, startedAt: new Date(0) }
const waiting = { waiting: 3, running: 0, oldestWaitMs: 30_000 }

test('exports that no process takes are reported to everyone, and the processes only to admins', async () => {
  const readWorkload: ReadWorkload = () => Promise.resolve({ processes: [serving], exports: waiting, agents: waiting })
  const { get } = await testApp({ readWorkload })
  const report = WorkloadReport.parse(await (await get('/api/workload')).json())
  expect(report.unattended).toEqual([{ kind: 'exports', waiting: 3 }])
  const { processes } = WorkloadProcesses.parse(await (await get('/api/workload/processes')).json())
  expect(processes).toEqual([{ ...serving, startedAt: new Date(0).toISOString() }])
})

test('work that waits briefly, or while a worker runs, is not reported, and concurrent readers share one query', async () => {
  let now = 0
  let reads = 0
  let processes = [serving]
  let exports = { ...waiting, oldestWaitMs: 1_000 }
  const read: ReadWorkload = () => {
    reads += 1
    return Promise.resolve({ processes, exports, agents: idle })
  }
  const workload = createWorkloadReader({ read, now: () => now })
  expect(await workload.listUnattended()).toEqual([])
  exports = waiting
  processes = [serving, { ...serving, serves: false, exports: 1 }]
  now = 5_000
  expect(await Promise.all([workload.listUnattended(), workload.listUnattended()])).toEqual([[], []])
  expect(reads).toBe(2)
  expect(await createWorkloadReader({ read: null, now: () => now }).listUnattended()).toEqual([])
})
