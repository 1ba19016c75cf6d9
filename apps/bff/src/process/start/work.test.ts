import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { testSecret } from '#testing/instance.ts'
import { startWorker } from './work.ts'

test('a worker runs if its server runs the embedded service, and explains why not if an admin switched that off', async () => {
  const { db, url, drop } = await testDatabase()
  onTestFinished(drop)
  const dataDir = await mkdtemp(join(tmpdir(), 'docket-worker-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const work = async (variables: Record<string, string> = {}) => {
    await using running = new AsyncDisposableStack()
    const env = { DATABASE_URL: url, DATA_DIR: dataDir, AUTH_SECRET: testSecret, LOG_LEVEL: 'error', ...variables }
    return (await startWorker({})(env, running, { draining: false, drainMs: 0, graceMs: 0 })).join()
  }
  await db.execute(sql`insert into connections (name, kind, source, deployment_kind, calls_per_hour, timeout_ms, agent_job_creation, switched_on)
    values ('This machine', 'embedded', 'docket', 'cloud', 1, 1000, true, false)`)
  await expect(work()).rejects.toThrow('because an admin switched it off, so there is nothing to work on')
  expect(await work({ LOCAL_SITES: `docs.localhost=${dataDir}` })).toContain('worker is ready')
  await db.execute(sql`update connections set switched_on = true where kind = 'embedded'`)
  expect(await work()).toContain('worker is ready')
})
