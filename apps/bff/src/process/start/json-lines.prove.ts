import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeCertificates, startTcpServer } from '#ground/db/testing/tcp-server.ts'
import { startDocket } from '#testing/docket-process.ts'

test('standard error holds JSON lines only, with TLS to the database and whatever the driver warns of', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-json-lines-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await makeCertificates(folder)
  // The driver warns in plain text when it finds a password in this file.
  const passwords = join(folder, 'pgpass')
  await writeFile(passwords, '*:*:*:*:hunter2\n', { mode: 0o600 })
  const server = await startTcpServer({ certificates: folder, password: 'hunter2' })
  onTestFinished(server.stop)
  const docket = startDocket({
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: `postgresql://docket@localhost:${server.port}/postgres?sslmode=require&sslrootcert=${join(folder, 'ca.pem')}`,
    PGPASSFILE: passwords,
    LOG_LEVEL: 'info',
  })
  await docket.ready
  await docket.kill('SIGTERM')
  const { code, stderr } = await docket.ended
  expect(code).toBe(0)
  const lines = stderr.split('\n').filter((line) => line !== '')
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => !line.startsWith('{') || !line.endsWith('}'))).toEqual([])
  expect(stderr).not.toContain('hunter2')
})
