import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { describeFailure } from '#ground/log/failure.ts'
import { findDatabase, isAlive } from '#testing/database-process.ts'
import { startDocket } from '#testing/docket-process.ts'
import { startDocket as startService } from './process/start/start.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-main-'))
afterAll(() => rm(folder, { recursive: true }))

const docket = (dataDir: string, variables: Record<string, string>) =>
  startDocket({ DATA_DIR: join(folder, dataDir), ADMIN_API_URL: 'http://127.0.0.1:1', ...variables })

test('a start prints the address and the next step; a stop prints nothing, ends the database and exits with 0', async () => {
  const server = docket('one', { ADMIN_API_KEY: 'prefix_canary0123456789', SHUTDOWN_DRAIN_MS: '60000' })
  const address = await server.ready
  expect(await (await fetch(`${address}/readyz`)).text()).toBe('ok\n')
  const database = await findDatabase(join(folder, 'one'))
  // As Ctrl-C does, which waits for nobody to notice.
  const { code, stdout, stderr } = await server.kill('SIGINT')
  expect(code).toBe(0)
  const name = (await readFile(join(folder, 'one', 'own-name'), 'utf8')).trim()
  const own = `http://${name}:${new URL(address).port}`
  expect(stdout.replace(/#[\w-]{32} /, '#TOKEN ')).toBe(
    `Docket is ready at ${own}\nOpen ${own}/setup#TOKEN to create the first account.\n` +
      `For scripts, or if your browser can’t open that name: ${address}\n`,
  )
  expect(stderr).toBe('')
  expect(isAlive(database)).toBe(false)
})

test('an invalid configuration is refused before any file is created', async () => {
  const running = new AsyncDisposableStack()
  const env = {
    DATA_DIR: join(folder, 'misconfigured'),
    ADMIN_API_URL: 'http://127.0.0.1:1',
    ADMIN_API_KEY: '',
    PORT: 'http',
  }
  const refused = await startService({ works: true })(env, running, { draining: false, drainMs: 0, graceMs: 0 }).then(
    () => '',
    describeFailure,
  )
  await running.disposeAsync()
  expect(refused.split('\n')).toEqual([
    'These settings need a change:',
    expect.stringMatching(/^ {2}- PORT /),
    expect.stringMatching(/^ {2}- ADMIN_API_URL is set without a key/),
  ])
  expect(await readdir(folder)).not.toContain('misconfigured')
})
