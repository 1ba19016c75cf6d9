import { Counter, Histogram, type Registry } from 'prom-client'

/** One call of the Admin API: its operation and how it ended, both of closed sets. */
type Called = { operation: string; outcome: string; ms: number }

/** Counts the calls of the Admin API. The function it gives is for every finished call. */
export const upstreamMetrics = (registry: Registry): ((called: Called) => void) => {
  const registers = [registry]
  const calls = new Counter({
    name: 'docket_upstream_calls_total',
    help: 'Calls of the Admin API by operation and outcome: ok, or the code of the failure.',
    labelNames: ['operation', 'outcome'] as const,
    registers,
  })
  const duration = new Histogram({
    name: 'docket_upstream_call_duration_seconds',
    help: 'Time until a call of the Admin API ended.',
    labelNames: ['operation'] as const,
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  return ({ operation, outcome, ms }) => {
    calls.inc({ operation, outcome })
    duration.observe({ operation }, ms / 1000)
  }
}
