import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { databaseMetrics } from './database-metrics.ts'
import { httpMetrics } from './http-metrics.ts'
import { upstreamMetrics } from './upstream-metrics.ts'

/** What Docket tells Prometheus. Labels come from closed sets: no name of a record, address, key or link is ever one. */
export type Metrics = {
  onAnswer: ReturnType<typeof httpMetrics>
  onCall: ReturnType<typeof upstreamMetrics>
  /** The text of a scrape. */
  scrape: () => Promise<{ contentType: string; text: string }>
}

/** A registry of its own, so that nothing else in the process adds to it. Nothing is measured before this is called. */
export const docketMetrics = (
  source: Parameters<typeof databaseMetrics>[1] & { version: string; load: Parameters<typeof httpMetrics>[1] },
): Metrics => {
  const registry = new Registry()
  // Every 100 ms: finer looks would keep an idle process awake.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 })
  const about = { name: 'docket_info', help: 'What runs here.', labelNames: ['version'], registers: [registry] }
  new Gauge(about).set({ version: source.version }, 1)
  const onAnswer = httpMetrics(registry, source.load)
  const onCall = upstreamMetrics(registry)
  const readDatabase = databaseMetrics(registry, source)
  return {
    onAnswer,
    onCall,
    scrape: async () => {
      await readDatabase()
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}
