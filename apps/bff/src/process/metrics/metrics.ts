import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Answered } from '#ground/http/request-context.ts'
import { createDatabaseMetrics } from './database-metrics.ts'
import type { DiskReport } from '@docket/api-types/disks'

const registerDiskMetrics = (registry: Registry, list: () => DiskReport['volumes']): void => {
  const gauge = (name: string, help: string, pick: (volume: DiskReport['volumes'][number]) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['volume'],
      registers: [registry],
      collect() {
        // A volume that no longer answers must not appear current.
        this.reset()
        for (const one of list()) this.set({ volume: one.volume }, pick(one))
      },
    })
  gauge('docket_disk_free_bytes', 'Free bytes of a volume that Docket writes to.', ({ freeBytes }) => freeBytes)
  gauge('docket_disk_total_bytes', 'Bytes of that volume that Docket could use.', ({ totalBytes }) => totalBytes)
}

type Load = { requests: number; downloads: number; shed: number }

// A client may invent methods, but these must not become labels.
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const registerHttpMetrics = (registry: Registry, load: () => Load): ((answered: Answered) => void) => {
  const registers = [registry]
  const requests = new Counter({
    name: 'docket_http_requests_total',
    help: 'Requests answered, by route pattern and class of status.',
    labelNames: ['method', 'route', 'status'] as const,
    registers,
  })
  const duration = new Histogram({
    name: 'docket_http_request_duration_seconds',
    help: 'Time to the answer, by route pattern; of a download, to its end.',
    labelNames: ['method', 'route'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
    registers,
  })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge(
    'docket_http_requests_under_way',
    'Requests under /api being answered, without downloads.',
    () => load().requests,
  )
  gauge('docket_downloads_under_way', 'Downloads being sent.', () => load().downloads)
  gauge(
    'docket_http_requests_shed',
    'Requests turned away since the start because too many were under way.',
    () => load().shed,
  )

  return ({ method, route, status, ms }) => {
    const labels = { method: methods.has(method) ? method : 'other', route }
    requests.inc({ ...labels, status: `${Math.floor(status / 100)}xx` })
    duration.observe(labels, ms / 1000)
  }
}

/** One call of the Admin API, by the name of its connection. `operation` and `outcome` come from closed sets. */
type FinishedCall = { connection: string; operation: string; outcome: string; ms: number }

const registerUpstreamMetrics = (registry: Registry): ((called: FinishedCall) => void) => {
  const registers = [registry]
  const calls = new Counter({
    name: 'docket_upstream_calls_total',
    help: 'Calls of the Admin API by operation and outcome: ok, or the code of the failure.',
    labelNames: ['connection', 'operation', 'outcome'] as const,
    registers,
  })
  const duration = new Histogram({
    name: 'docket_upstream_call_duration_seconds',
    help: 'Time until a call of the Admin API ended.',
    labelNames: ['connection', 'operation'] as const,
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  return ({ connection, operation, outcome, ms }) => {
    calls.inc({ connection, operation, outcome })
    duration.observe({ connection, operation }, ms / 1000)
  }
}

const registerPullRequestMetrics = (registry: Registry): ((outcome: string, kind: string) => void) => {
  const reads = new Counter({
    name: 'docket_pull_request_reads_total',
    help: 'Reads of pull requests by kind of code host and outcome: read, failed, limited by it, or postponed by the budget.',
    labelNames: ['kind', 'outcome'] as const,
    registers: [registry],
  })
  return (outcome, kind) => reads.inc({ kind, outcome })
}

export const createDocketMetrics = (
  source: Parameters<typeof createDatabaseMetrics>[1] & {
    version: string
    load: Parameters<typeof registerHttpMetrics>[1]
    disks: Parameters<typeof registerDiskMetrics>[1]
  },
) => {
  const registry = new Registry()
  // A finer resolution than 100 ms would keep an idle process awake.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 })
  const about = { name: 'docket_info', help: 'What runs here.', labelNames: ['version'], registers: [registry] }
  new Gauge(about).set({ version: source.version }, 1)
  const onAnswer = registerHttpMetrics(registry, source.load)
  const onCall = registerUpstreamMetrics(registry)
  const onPullRequestRead = registerPullRequestMetrics(registry)
  registerDiskMetrics(registry, source.disks)
  const readDatabase = createDatabaseMetrics(registry, source)
  return {
    onAnswer,
    onCall,
    onPullRequestRead,
    scrape: async (): Promise<{ contentType: string; text: string }> => {
      await readDatabase()
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

/** Docket's metrics for Prometheus. Labels come from closed sets and the names of connections: never the name of a record, an address, a key or a link. */
export type Metrics = ReturnType<typeof createDocketMetrics>
