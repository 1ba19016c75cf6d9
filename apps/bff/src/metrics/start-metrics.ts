import { startServer } from '#http/server/server.ts'
import type { Log } from '#log/log.ts'
import { metricsApp } from './metrics.app.ts'
import { docketMetrics, type Metrics } from './metrics.ts'

/** Begins to measure, and serves what was measured on a port of its own. Rejects with a sentence for the operator when it may not listen there. */
export const startMetrics = async (
  source: Parameters<typeof docketMetrics>[0],
  { host, port, publicUrl, log }: { host: string; port: number; publicUrl: URL | null; log: Log },
): Promise<Omit<Metrics, 'scrape'> & { stop: () => Promise<void> }> => {
  const metrics = docketMetrics(source)
  const { fetch } = metricsApp(metrics, publicUrl, log)
  const server = await startServer({ fetch, host, port, log, setting: 'METRICS_PORT' })
  log.info({ address: `${server.address}/metrics` }, 'measuring')
  return { onAnswer: metrics.onAnswer, onCall: metrics.onCall, stop: () => server.stop(0) }
}
