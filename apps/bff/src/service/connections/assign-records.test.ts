import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { environmentSettings as settings } from '#testing/connection.ts'
import { testDatabase } from '#testing/database.ts'
import { assignRecords } from './assign-records.ts'
import { connections, unassignedId } from '#ground/db/connections.table.ts'
import { describeEnvironment } from './describe-environment.ts'

const local = 'http://127.0.0.1:40001'

/** A database of the version before connections, which called `origins`, with an export and a job. */
const earlier = async (...origins: string[]) => {
  const { db, drop } = await testDatabase()
  onTestFinished(drop)
  const exportId = randomUUID()
  const connectionId = unassignedId
  await db.insert(staticExports).values({
    exportId,
    connectionId,
    domain: 'docs.example.com',
    state: 'accepted',
    jobId: 'a',
    startedAt: new Date(),
  })
  await db.insert(agentJobs).values({ connectionId, projectId: 'docs', id: 'b', followedAt: new Date() })
  for (const origin of origins)
    await db.execute(sql`insert into call_budgets (origin, key, tokens, at_ms) values (${origin}, 'main', 1, 1)`)
  const assigned = async () => {
    const owner = (id: string) =>
      db
        .select({ kind: connections.kind, baseUrl: connections.baseUrl })
        .from(connections)
        .where(eq(connections.connectionId, id))
    const [row] = await db.select().from(staticExports).where(eq(staticExports.exportId, exportId))
    const [job] = await db.select().from(agentJobs)
    expect(job?.connectionId).toBe(row?.connectionId)
    return (await owner(row!.connectionId))[0]
  }
  const startWith = async (baseUrl: string | null, embeddedOrigins: readonly string[] = []) => {
    await describeEnvironment(db, {
      environment: baseUrl === null ? null : { baseUrl, ...settings },
      embedded: baseUrl === null ? settings : null,
    })
    await assignRecords(db, embeddedOrigins)
    return assigned()
  }
  return { db, startWith }
}

test('records of an earlier version are assigned to the one service it called', async () => {
  const { startWith } = await earlier('https://api.example.com')
  expect(await startWith('https://api.example.com/base')).toEqual({
    kind: 'service',
    baseUrl: 'https://api.example.com/base',
  })
})

test('records of an earlier version are assigned to the embedded service that it ran, even if a service is connected now', async () => {
  expect(await (await earlier(local)).startWith(null, [local])).toEqual({ kind: 'embedded', baseUrl: null })
  const { startWith } = await earlier(local)
  expect(await startWith('https://api.example.com', [local])).toEqual({ kind: 'embedded', baseUrl: null })
})

test.each([
  { why: 'two services were called', origins: ['https://api.example.com', 'https://old.example.com'] },
  { why: 'another service was called', origins: ['https://old.example.com'] },
  { why: 'nothing was called', origins: [] },
])('when $why, the records stay unassigned', async ({ origins }) => {
  const { startWith } = await earlier(...origins)
  expect(await startWith('https://api.example.com')).toEqual({ kind: 'unassigned', baseUrl: null })
})

test('the environment keeps its connection, a new address gets a new one, and the old address reuses the first', async () => {
  const { db, startWith } = await earlier()
  const uses = async () =>
    (await db.select().from(connections).where(eq(connections.source, 'environment')))
      .map(({ baseUrl, goneAt }) => [baseUrl, goneAt === null])
      .toSorted(([a], [b]) => String(a).localeCompare(String(b)))
  for (const baseUrl of ['https://a.example', 'https://a.example', 'https://b.example', 'https://a.example'])
    await startWith(baseUrl)
  expect(await uses()).toEqual([
    ['https://a.example', true],
    ['https://b.example', false],
  ])
})
