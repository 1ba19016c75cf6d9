import { KeyCheck } from '@docket/api-types/connections'
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { testConnectionId } from '#testing/connection.ts'
import { standInServer } from '#testing/stand-in-server.ts'
import { testApp } from '#testing/test-app.ts'

test('a proven key makes only those records due that an earlier key could not read', async () => {
  const server = await standInServer((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Job not found"}')
  })
  const app = await testApp({ upstream: { url: server.url, key: 'test_key-of-the-check' } })
  onTestFinished(async () => {
    await app.close()
    await server.close()
  })
  const at = new Date()
  const later = new Date(at.getTime() + 60_000)
  const add = async (code: 'upstream_key_rejected' | 'upstream_unavailable') => {
    const exportId = randomUUID()
    const started = { domain: 'docs.example.com', state: 'accepted', startedAt: at, jobId: exportId } as const
    const failed = { failures: 1, nextCheckAt: later, checkFailure: { code, message: code, at: at.toISOString() } }
    await app.db.insert(staticExports).values({ exportId, ...started, status: 'running', ...failed })
    return exportId
  }
  const readNextCheck = async (exportId: string) => {
    const [row] = await app.db.select().from(staticExports).where(eq(staticExports.exportId, exportId))
    return row?.nextCheckAt
  }
  const [rejected, unreachable] = [await add('upstream_key_rejected'), await add('upstream_unavailable')]
  const check = await app.post(`/api/connections/${testConnectionId}/check`)
  expect(KeyCheck.parse(await check.json())).toMatchObject({ outcome: 'proven' })
  expect((await readNextCheck(rejected))?.getTime()).toBeLessThan(later.getTime())
  expect(await readNextCheck(unreachable)).toEqual(later)
})
