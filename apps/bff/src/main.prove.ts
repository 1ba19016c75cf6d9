import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StaticExportList } from '@docket/api-types/static-exports'
import { afterAll, afterEach, expect, inject, test } from 'vitest'
import { findDatabase } from '#testing/database-process.ts'
import { startDocket } from '#testing/docket-process.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-main-'))
const key = 'prefix_canary0123456789'

/** A service that takes every start and says that the job runs. */
const service = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(request.method === 'POST' ? { jobId: 'job-1' } : { status: 'running', progress: 10 }))
})
await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve))
const serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`

const started: ReturnType<typeof startDocket>[] = []
const docket = (dataDir: string, variables: Record<string, string> = {}) => {
  const server = startDocket({
    DATA_DIR: join(folder, dataDir),
    ADMIN_API_URL: serviceUrl,
    ADMIN_API_KEY: key,
    ...variables,
  })
  started.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.kill('SIGTERM')))
})
afterAll(async () => {
  service.closeAllConnections()
  service.close()
  await rm(folder, { recursive: true })
})

type Server = ReturnType<typeof startDocket>

const startExport = (server: Server) =>
  server.fetch('/api/static-exports', {
    method: 'POST',
    body: JSON.stringify({ requestId: crypto.randomUUID(), domain: 'docs.example.com' }),
  })

const listExports = async (server: Server) => {
  const response = await server.fetch('/api/static-exports')
  return StaticExportList.parse(await response.json()).items.map(({ domain, jobId }) => ({ domain, jobId }))
}

test('acknowledged writes survive kill -9 of the server', async () => {
  const first = docket('killed')
  expect((await startExport(first)).status).toBe(201)
  await first.kill('SIGKILL')
  const second = docket('killed')
  expect(await listExports(second)).toEqual([{ domain: 'docs.example.com', jobId: 'job-1' }])
})

test('acknowledged writes survive kill -9 of the server and the database', async () => {
  const first = docket('all-killed')
  expect((await startExport(first)).status).toBe(201)
  const database = await findDatabase(join(folder, 'all-killed'))
  process.kill(database, 'SIGKILL')
  await first.kill('SIGKILL')
  const second = docket('all-killed')
  expect(await listExports(second)).toEqual([{ domain: 'docs.example.com', jobId: 'job-1' }])
})

test('a second Docket on the same folder is refused with one readable error, and the first keeps running', async () => {
  const first = docket('shared')
  const address = await first.ready
  const { code, stdout, stderr } = await docket('shared').ended
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^Docket could not start\. Another Docket is running on .*shared\..*\n$/)
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
})

test('a port that is in use is refused with one readable error, and nothing is left running', async () => {
  const { port } = service.address() as AddressInfo
  const { code, stdout, stderr } = await docket('port-taken', { PORT: String(port) }).ended
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(
    new RegExp(`^Docket could not start\\. Port ${port} on 127\\.0\\.0\\.1 is already in use\\..*\\n$`),
  )
  expect(existsSync(join(folder, 'port-taken', 'postgres', 'postmaster.pid'))).toBe(false)
})

test('a database that does not exist causes one readable error without the password', async () => {
  const { host, port, user } = inject('testServer')
  const address = `postgresql://${user}:hunter2@localhost:${port}/no_such_database?host=${encodeURIComponent(host)}`
  const { code, stderr } = await docket('no-database', { DATABASE_URL: address }).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/^Docket could not start\. The database at \S+ cannot be used .*\n$/)
  expect(stderr).not.toContain('hunter2')
})

test('a request in flight is finished before Docket stops', async () => {
  const server = docket('in-flight')
  const { port } = new URL(await server.ready)
  const socket = connect(Number(port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk))
  const body = JSON.stringify({ jobs: [] })
  const cookie = await server.adminCookie()
  const head = `POST /api/agent-jobs HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\nX-Docket: 1\r\n`
  // Node says 100 when it has read the head, so the request is known to be in flight.
  socket.write(
    `${head}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  await expect.poll(() => answer).toContain('100 Continue')
  const stopped = server.kill('SIGTERM')
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/livez`).then(
        () => 'answers',
        () => 'closed',
      ),
    )
    .toBe('closed')
  socket.write(body)
  expect((await stopped).code).toBe(0)
  expect(answer).toContain('HTTP/1.1 400 ')
})

test('a signal opens no debugger and writes no memory dump', async () => {
  const server = docket('debugged')
  const address = await server.ready
  process.kill(server.pid, 'SIGUSR1')
  expect((await fetch(`${address}/livez`)).status).toBe(200)
  // Left to itself, this signal dumps core.
  expect(await server.kill('SIGQUIT')).toMatchObject({ code: 0, signal: null, stderr: '' })
})

test('no key appears in any output or response of Docket, even at the most verbose log level', async () => {
  const server = docket('canary', { LOG_LEVEL: 'trace' })
  const answers = [
    await startExport(server),
    await server.fetch('/api/status'),
    await server.fetch('/api/static-exports'),
  ]
  const texts = await Promise.all(answers.map((answer) => answer.text()))
  const { stdout, stderr } = await server.kill('SIGTERM')
  for (const text of [...texts, stdout, stderr]) expect(text).not.toContain('canary0123456789')
  expect(stderr).not.toBe('')
})
