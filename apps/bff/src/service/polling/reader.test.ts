import { afterAll, expect, onTestFinished, test } from 'vitest'
import pino from 'pino'
import { testConnectionId } from '#testing/connection.ts'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import { AdminApiError } from '#ground/errors/app-error.ts'
import { nothingKnown } from '#service/admin-api/wire/wire.ts'
import { createJobReader } from '#records/agent-jobs/agent-jobs.watcher.ts'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { testDatabase } from '#testing/database.ts'
import { testActor } from '#testing/people.ts'
import { claimDueRecords } from './claim.ts'
import { CallsPaused } from '#service/rate-limit/circuit-breaker.ts'
import { createRateLimit } from '#service/rate-limit/limiter.ts'
import { polling } from './polling.ts'

const { db, drop } = await testDatabase()
afterAll(drop)

const nobodyCallsThis = () => Promise.reject(new Error('not expected'))
const snapshot = { ...nothingKnown, status: 'active' }

test('a record claimed by the watcher is read even if a simultaneous click on it is refused', async () => {
  const clock = { ms: Date.parse('2026-05-01T10:00:00.000Z') }
  const now = () => clock.ms
  const log = pino({ level: 'silent' })
  const connectionId = testConnectionId
  const limits = createRateLimit({ db, connectionId, hasReadKey: false, callsPerHour: 3600, leaseMs: 40_000, now, log })
  onTestFinished(limits.close)
  const limiter = limits.limiters.agent_jobs
  let proceed = () => {}
  const hold = new Promise<void>((resolve) => (proceed = resolve))
  const schedule = {
    nextRead: () => new Date(now() + 60_000),
    nextSettledRead: () => null,
    nextRetry: () => new Date(now() + 60_000),
    refresh: () => hold,
    stretch: () => 1,
    floorMs: 2000,
  }
  const polled = polling({ connectionId, now, limiter, schedule, embedded: false, alone: false, callTimeoutMs: 10_000 })
  let calls = 0
  const adminApi: AdminApi = {
    origin: 'https://api.example.com',
    getAgentJob: () => Promise.resolve(((calls += 1), snapshot)),
    listAgentJobs: nobodyCallsThis,
    createAgentJob: nobodyCallsThis,
    sendAgentMessage: nobodyCallsThis,
    cancelAgentJob: nobodyCallsThis,
    archiveAgentJob: nobodyCallsThis,
    readAgentJobLog: nobodyCallsThis,
    startStaticExport: nobodyCallsThis,
    getStaticExport: nobodyCallsThis,
    cancelStaticExport: nobodyCallsThis,
    generateBundle: nobodyCallsThis,
  }
  const reader = createJobReader({ db, adminApi, polling: polled })
  const key = { connectionId, projectId: 'docs', id: 'a' }
  await db.insert(agentJobs).values({ ...key, followedAt: new Date(now()), nextCheckAt: new Date(now()) })

  const click = reader.readNow(key, testActor()).catch((error: unknown) => error)
  const [claimed] = await db.transaction(async (tx) => {
    const polls = await limiter.polls(tx, 1)
    const found = await claimDueRecords(tx, agentJobs, { ...polled.lease, now: now(), limit: polls.allowed })
    const granted = await polls.take(found.length)
    return found.map((record) => ({ ...record, granted }))
  })
  const slowDown = new AdminApiError('upstream_rate_limited', 'Wait.', { effect: 'none', retryAfterMs: 30_000 })
  await expect(limiter.call(() => Promise.reject(slowDown))).rejects.toBe(slowDown)
  const read = reader.readClaimed(claimed!)
  proceed()

  expect(await click).toBeInstanceOf(CallsPaused)
  await read
  expect(calls).toBe(1)
  expect(await db.select().from(agentJobs)).toMatchObject([{ status: 'active', leaseOwner: null, leaseUntil: null }])
})
