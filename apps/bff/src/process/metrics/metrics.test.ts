import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '#ground/http/server/server.ts'
import { createLog } from '#ground/log/log.ts'
import { rawRequest } from '#testing/raw-request.ts'
import type { DatabaseReading } from './database-metrics.ts'
import { createMetricsApp, startMetrics } from './metrics.app.ts'
import { createDocketMetrics } from './metrics.ts'

const log = createLog({ level: 'silent', destination: { write: () => {} } })
const reading: DatabaseReading = {
  storage: { bundles: 3, bytes: 4_000, waiting: 1 },
  workload: {
    processes: [{ serves: true, exports: 0, agents: 2 }],
    exports: { waiting: 4, running: 0, oldestWaitMs: 61_000 },
    agents: { waiting: 0, running: 1, oldestWaitMs: 0 },
  },
  backups: { failures: 2, last: { endedAt: 1_700_000_000_000, ms: 90_000, sizeBytes: 5_000 } },
  connections: {
    Staging: {
      kinds: { agent_jobs: { active: 7, pollLagMs: 1_500, oldestLeaseMs: 250 } },
      budget: { left: 41, callsPerHour: 100 },
      gates: { agent_jobs: 'closed' },
    },
  },
}

const serve = async (read: () => Promise<DatabaseReading>) => {
  let now = 0
  const metrics = createDocketMetrics({
    version: '1.2.3',
    now: () => now,
    load: () => ({ requests: 3, downloads: 2, shed: 1 }),
    disks: () => [{ volume: 'data', freeBytes: 40, totalBytes: 1_000, level: 'critical' }],
    read,
    pool: () => ({ total: 5, idle: 4, waiting: 0 }),
  })
  const server = await startServer({
    fetch: createMetricsApp(metrics, { publicUrl: null, log, ping: null }).fetch,
    host: '127.0.0.1',
    port: 0,
    log,
  })
  onTestFinished(() => server.stop(0))
  const ask = (path: string, headers: Record<string, string> = {}) => fetch(server.address + path, { headers })
  return { metrics, ask, scrape: async () => (await ask('/metrics')).text(), pass: (ms: number) => void (now += ms) }
}

test('a scrape reports requests by route pattern, calls by operation, and the state of polling', async () => {
  const { metrics, scrape } = await serve(() => Promise.resolve(reading))
  metrics.onAnswer({ method: 'GET', route: '/api/agent-jobs/:projectId/:id', status: 304, ms: 20 })
  metrics.onAnswer({ method: 'BREW', route: '*', status: 404, ms: 1 })
  metrics.onCall({ connection: 'Staging', operation: 'getAgentJob', outcome: 'upstream_timeout', ms: 900 })
  const lines = (await scrape()).split('\n')
  for (const line of [
    'docket_http_requests_total{method="GET",route="/api/agent-jobs/:projectId/:id",status="3xx"} 1',
    'docket_http_requests_total{method="other",route="*",status="4xx"} 1',
    'docket_http_request_duration_seconds_bucket{le="0.025",method="GET",route="/api/agent-jobs/:projectId/:id"} 1',
    'docket_http_requests_under_way 3',
    'docket_downloads_under_way 2',
    'docket_upstream_calls_total{connection="Staging",operation="getAgentJob",outcome="upstream_timeout"} 1',
    'docket_upstream_call_duration_seconds_bucket{le="1",connection="Staging",operation="getAgentJob"} 1',
    'docket_active_records{connection="Staging",kind="agent_jobs"} 7',
    'docket_poll_lag_seconds{connection="Staging",kind="agent_jobs"} 1.5',
    'docket_oldest_lease_seconds{connection="Staging",kind="agent_jobs"} 0.25',
    'docket_upstream_held_back{connection="Staging",calls="agent_jobs"} 1',
    'docket_call_budget_left{connection="Staging"} 41',
    'docket_call_budget_limit{connection="Staging"} 100',
    'docket_database_up 1',
    'docket_database_connections{state="idle"} 4',
    'docket_info{version="1.2.3"} 1',
    'docket_backup_last_success_timestamp_seconds 1700000000',
    'docket_backup_last_duration_seconds 90',
    'docket_backup_last_size_bytes 5000',
    'docket_backup_failures_total 2',
    'docket_embedded_processes{work="requests"} 1',
    'docket_embedded_processes{work="exports"} 0',
    'docket_embedded_jobs{work="exports",state="waiting"} 4',
    'docket_embedded_oldest_wait_seconds{work="exports"} 61',
    'docket_disk_free_bytes{volume="data"} 40',
    'docket_disk_total_bytes{volume="data"} 1000',
  ])
    expect(lines).toContain(line)
  expect(lines.some((line) => line.startsWith('nodejs_eventloop_lag_p99_seconds '))).toBe(true)
  expect(lines.some((line) => line.startsWith('process_resident_memory_bytes '))).toBe(true)
})

test('many scrapes share one database query, which is repeated once its result is too old', async () => {
  let scrapes = 0
  const { scrape, pass } = await serve(() => {
    scrapes += 1
    return Promise.resolve(reading)
  })
  await Promise.all(Array.from({ length: 20 }, scrape))
  expect(scrapes).toBe(1)
  pass(5_000)
  await scrape()
  expect(scrapes).toBe(2)
})

test.for([
  ['is away', () => Promise.reject(new Error('Connection terminated'))],
  ['hangs', () => new Promise<DatabaseReading>(() => {})],
] as const)('while the database %s a scrape answers with the rest, and with no old number', async ([, fail]) => {
  let broken = false
  const { scrape, pass } = await serve(() => (broken ? fail() : Promise.resolve(reading)))
  await scrape()
  broken = true
  pass(5_000)
  const text = await scrape()
  expect(text).toContain('docket_database_up 0')
  expect(text).toContain('docket_http_requests_under_way 3')
  expect(text).not.toMatch(/^docket_(active_records|poll_lag_seconds|call_budget_left)\b/m)
})

test('only /metrics is served, and nothing under a foreign hostname', async () => {
  const { ask } = await serve(() => Promise.resolve(reading))
  for (const path of ['/', '/api/status', '/livez', '/metrics/x']) expect((await ask(path)).status).toBe(404)
  expect((await ask('/metrics')).headers.get('cache-control')).toBe('no-store')
  const { port } = new URL((await ask('/metrics')).url)
  const foreign = await rawRequest(
    Number(port),
    'GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
  )
  expect(foreign).toContain('HTTP/1.1 403 ')
  expect(foreign).not.toContain('docket_')
})

test.for([
  ['127.0.0.1:9464', 200],
  ['10.42.0.7:9464', 200],
  ['[fd00::7]:9464', 200],
  ['docket:9464', 200],
  ['docket.example.org', 200],
  ['Docket.example.org:9464', 200],
  ['evil.example:9464', 403],
  ['docket.example.org.evil.example', 403],
  ['10.42.0.7.evil.example', 403],
] as const)(
  'a scrape with the host "%s" gets status %i, because only hosts that no web page can have get metrics',
  async ([host, status]) => {
    const app = createMetricsApp(
      { scrape: () => Promise.resolve({ contentType: 'text/plain', text: 'docket_info 1\n' }) },
      { publicUrl: new URL('https://docket.example.org'), log, ping: null },
    )
    const server = await startServer({ fetch: app.fetch, host: '127.0.0.1', port: 0, log })
    onTestFinished(() => server.stop(0))
    const answer = await rawRequest(server.port, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(answer.split(' ', 2)[1]).toBe(String(status))
  },
)

test('a port that is in use is refused with a readable error that names METRICS_PORT', async () => {
  const { ask } = await serve(() => Promise.resolve(reading))
  const port = Number(new URL((await ask('/metrics')).url).port)
  const source = {
    version: '1',
    now: Date.now,
    load: () => ({ requests: 0, downloads: 0, shed: 0 }),
    disks: () => [],
    read: () => Promise.resolve(reading),
    pool: () => ({ total: 0, idle: 0, waiting: 0 }),
  }
  const second = startMetrics(source, { host: '127.0.0.1', port, publicUrl: null, log, ping: null })
  await expect(second).rejects.toThrow(/^Port \d+ on 127\.0\.0\.1 is already in use\..* set METRICS_PORT /)
})
