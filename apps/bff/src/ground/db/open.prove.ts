import { join } from 'node:path'
import { startEmbeddedPostgres } from '@docket/embedded-postgres'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { isDatabaseUnavailable } from '#ground/db/unavailable.ts'
import { bumpRevision } from '#ground/db/revision.ts'
import { freshDataDir, open } from '#ground/db/testing/opened-database.ts'

test('Docket waits for a database that starts later', async () => {
  const dataDir = await freshDataDir()
  const databaseUrl = `postgresql://docket@localhost/postgres?host=${encodeURIComponent(join(dataDir, 'run'))}`
  const opening = open({ databaseUrl, startTimeoutMs: 60_000 })
  const server = await startEmbeddedPostgres({ dataDir })
  onTestFinished(server.stop)
  const { db, close, lines } = await opening
  expect(await bumpRevision(db, 'agent_jobs')).toBe(1)
  expect(lines[0]).toContain('trying again')
  await close()
})

test('a stopped database is reported as unavailable, and is used again without a restart once it is back', async () => {
  const dataDir = await freshDataDir()
  const server = await startEmbeddedPostgres({ dataDir })
  const { host, user, database } = server.connection
  const databaseUrl = `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
  const { db, close } = await open({ databaseUrl })
  expect(await bumpRevision(db, 'agent_jobs')).toBe(1)
  await server.stop()
  for (const attempt of [
    () => bumpRevision(db, 'agent_jobs'),
    () => db.transaction((tx) => bumpRevision(tx, 'agent_jobs')),
  ]) {
    const error: unknown = await attempt().then(
      () => expect.unreachable(),
      (thrown: unknown) => thrown,
    )
    expect(isDatabaseUnavailable(error)).toBe(true)
  }
  const again = await startEmbeddedPostgres({ dataDir })
  onTestFinished(again.stop)
  expect(await bumpRevision(db, 'agent_jobs')).toBe(2)
  await close()
})

test('an embedded database that is killed is restarted automatically', async () => {
  const dataDir = await freshDataDir()
  const { db } = await open({ dataDir })
  await bumpRevision(db, 'agent_jobs')
  const { rows } = await db.execute<{ pid: string }>(
    sql`select split_part(pg_read_file('postmaster.pid'), E'\n', 1) as pid`,
  )
  process.kill(Number(rows[0]!.pid), 'SIGKILL')
  await expect.poll(() => bumpRevision(db, 'agent_jobs')).toBeGreaterThan(1)
})
