import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** One answered request, by the pattern of its route. */
type Answered = { method: string; route: string; status: number; ms: number }

/** What is under way right now, and what was turned away since the start. */
type Load = { requests: number; downloads: number; shed: number }

// Whoever calls may invent methods, but not labels.
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Counts what is answered. The function it gives is for every answered request. */
export const httpMetrics = (registry: Registry, load: () => Load): ((answered: Answered) => void) => {
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
