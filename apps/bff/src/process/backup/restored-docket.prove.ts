import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { makeBackup } from '#process/backup/make-backup.ts'
import { restoreBackup } from '#process/backup/restore-backup.ts'
import { testDatabase } from '#testing/database.ts'
import { startDocket } from '#testing/docket-process.ts'
import { deriveSecrets, testSecret } from '#testing/instance.ts'
import { standInServer } from '#testing/stand-in-server.ts'

const patient = { interval: 100 }

test('a restored Docket keeps polling running jobs, and never repeats a start that was pending at the backup', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-restored-'))
  const [source, target] = await Promise.all([testDatabase(), testDatabase({ empty: true })])
  let [starts, reads] = [0, 0]
  const service = await standInServer((request, response) => {
    // The answer to a start never comes.
    if (request.method === 'POST') return void (starts += 1)
    reads += 1
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ status: 'active' }))
  })
  const docketOn = (databaseUrl: string) => {
    const docket = startDocket({
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: databaseUrl,
      ADMIN_API_URL: service.url,
      ADMIN_API_KEY: 'prefix_canary0123456789',
    })
    onTestFinished(async () => void (await docket.kill('SIGKILL')))
    return docket
  }
  onTestFinished(async () => {
    await Promise.all([service.close(), source.drop(), target.drop()])
    await rm(folder, { recursive: true, force: true })
  })

  const first = docketOn(source.url)
  const follow = { method: 'POST', body: JSON.stringify({ jobs: [{ projectId: 'docs', id: 'job-1' }] }) }
  expect((await first.fetch('/api/agent-jobs', follow)).status).toBe(200)
  const start = { requestId: crypto.randomUUID(), domain: 'docs.example.com' }
  void first.fetch('/api/static-exports', { method: 'POST', body: JSON.stringify(start) }).catch(() => {})
  await expect.poll(() => starts, patient).toBe(1)
  const file = join(folder, 'backup.tar')
  await makeBackup({
    place: { databaseUrl: source.url, dataDir: join(folder, 'data') },
    file,
    docket: '1.2.3',
    now: Date.now,
    encryptTo: null,
    secretInFile: false,
  })
  await first.kill('SIGKILL')

  await restoreBackup({
    place: { databaseUrl: target.url, dataDir: join(folder, 'restored') },
    file,
    openWith: null,
    secrets: deriveSecrets(testSecret),
    withoutSecret: false,
  })
  const readBefore = reads
  await docketOn(target.url).ready
  const states = async () =>
    (await target.db.execute(sql`select state, request_id as "requestId" from static_exports`)).rows
  await expect.poll(states, patient).toEqual([{ state: 'unknown', requestId: start.requestId }])
  await expect.poll(() => reads, patient).toBeGreaterThan(readBefore)
  expect(starts).toBe(1)
})
