import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { testConnectionId } from '#testing/connection.ts'
import { testDatabase } from '#testing/database.ts'
import { createUnreadJobRow } from '#records/agent-jobs/agent-jobs.rows.ts'
import { planNextCheck } from '#records/agent-jobs/agent-jobs.state.ts'
import { idleSchedule } from '#service/polling/schedule.ts'
import { claimDuePullRequest } from './pull-request-reads.ts'

test('of many replicas that look at the same time, only one reads a pull request, even if its read is due again', async () => {
  const { db, drop } = await testDatabase()
  onTestFinished(drop)
  const url = 'https://git.example.com'
  await db.execute(sql`insert into agent_jobs (connection_id, project_id, id, status, pr_link, followed_at)
    values (${testConnectionId}, 'docs', 'one', 'completed', ${`${url}/acme/docs/pulls/1`}, now())`)
  let now = Date.now()
  for (let round = 0; round < 10; round += 1, now += 60 * 60_000) {
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => claimDuePullRequest(db, testConnectionId, { url, others: [] }, now)),
    )
    expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1)
  }
})

test('a service that reports an open pull request is read daily, until it is merged or closed', () => {
  const now = Date.parse('2026-05-01T10:00:00.000Z')
  const finishedAt = new Date(now - 72 * 60 * 60_000)
  const key = { connectionId: testConnectionId, projectId: 'docs', id: 'one' }
  const job = {
    ...createUnreadJobRow(key, finishedAt),
    status: 'completed',
    prLink: 'https://git.example.com/a/b/pulls/1',
    finishedAt,
  }
  const next = (known: object) =>
    planNextCheck(
      { ...job, ...known },
      { now, schedule: { ...idleSchedule, nextSettledRead: () => null } },
    )?.toISOString() ?? null
  const tomorrow = '2026-05-02T10:00:00.000Z'
  expect(next({ pullRequestState: 'open', pullRequestKnownFrom: 'service' })).toBe(tomorrow)
  expect(next({ pullRequestState: 'draft', pullRequestKnownFrom: 'service' })).toBe(tomorrow)
  expect(next({ pullRequestState: 'merged', pullRequestKnownFrom: 'service' })).toBeNull()
  expect(next({ pullRequestState: 'open', pullRequestKnownFrom: 'code_host' })).toBeNull()
})
