import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { startEmbeddedPostgres } from '@docket/embedded-postgres'
import { drizzle } from 'drizzle-orm/node-postgres'
import { expect, test } from 'vitest'
import { migrateDatabase } from '#ground/db/migrate.ts'
import { openPool } from '#ground/db/pool.ts'
import { testApp } from '#testing/test-app.ts'

test('while the database is unavailable, every route reports it, and recovers without a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'docket-outage-'))
  let postgres = await startEmbeddedPostgres({ dataDir })
  await migrateDatabase(postgres.connection)
  const pool = openPool({ ...postgres.connection, max: 3 }, { warn: () => {} })
  const app = await testApp({ database: { db: drizzle(pool), url: '' }, watch: true })
  const paths = ['/readyz', '/api/status', '/api/static-exports', '/api/agent-jobs']
  try {
    for (const path of paths) expect((await app.get(path)).status).toBe(200)
    await postgres.stop()
    for (const path of paths) {
      const response = await app.get(path)
      expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '5'])
      expect(ApiErrorBody.parse(await response.json()).code).toBe('database_unavailable')
    }
    expect((await app.get('/livez')).status).toBe(200)
    postgres = await startEmbeddedPostgres({ dataDir })
    for (const path of paths) expect((await app.get(path)).status).toBe(200)
  } finally {
    await app.close()
    await pool.end()
    await postgres.stop()
    await rm(dataDir, { recursive: true })
  }
})
