import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { testConnectionId } from '#testing/connection.ts'
import { testDatabase } from '#testing/database.ts'
import { pullRequestReadsAt } from './pull-request-reads.ts'

test('of many replicas that look at once, one reads a pull request, also when its read is due again', async () => {
  const { db, drop } = await testDatabase()
  onTestFinished(drop)
  const url = 'https://git.example.com'
  await db.execute(sql`insert into agent_jobs (connection_id, project_id, id, status, pr_link, followed_at)
    values (${testConnectionId}, 'docs', 'one', 'completed', ${`${url}/acme/docs/pulls/1`}, now())`)
  const reads = pullRequestReadsAt(db)
  let now = Date.now()
  for (let round = 0; round < 10; round += 1, now += 60 * 60_000) {
    const claims = await Promise.all(Array.from({ length: 8 }, () => reads.claimDue(testConnectionId, url, now)))
    expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1)
  }
})
