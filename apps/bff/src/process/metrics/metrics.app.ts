import { Hono } from 'hono'
import { isReadOnly } from '#ground/db/unavailable.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { readOnlyAnswer } from '#ground/http/health.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { statusByCode } from '#ground/http/on-error.ts'
import { setSecurityHeaders } from '#ground/http/security-headers.ts'
import { startServer } from '#ground/http/server/server.ts'
import { readHostName } from '#ground/http/access/own-hosts.ts'
import type { Log } from '#ground/log/log.ts'
import { createDocketMetrics, type Metrics } from './metrics.ts'

const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/

/**
 * True when no foreign web page can have the hostname of a `Host` header (DNS rebinding): an IP address, a name without a dot, as
 * containers have, a name under `localhost`, or the host of `PUBLIC_URL`; on any port.
 */
const isScraped = (host: string, publicUrl: URL | null): boolean => {
  const name = readHostName(host)
  return address.test(name) || !name.includes('.') || name.endsWith('.localhost') || name === publicUrl?.hostname
}

/** The app on `METRICS_PORT`. `ping` checks the database; it is set for a worker, which has no other port for `/livez` and `/readyz`. */
type MetricsOptions = { publicUrl: URL | null; log: Log; ping: (() => Promise<void>) | null }

export const createMetricsApp = ({ scrape }: Pick<Metrics, 'scrape'>, { publicUrl, log, ping }: MetricsOptions) => {
  const app = new Hono<AppEnv>()
  app.onError((error, c) => {
    if (error instanceof AppError) return c.text(`${error.message}\n`, statusByCode[error.code])
    log.error({ err: error }, 'the metrics could not be written')
    return c.text('The metrics could not be written. The log says why.\n', 500)
  })
  app.notFound((c) => c.text('There is nothing at this address but /metrics.\n', 404))
  app.use(setSecurityHeaders({ publicUrl, ownName: null }), async (c, next) => {
    if (!isScraped(c.req.header('host') ?? '', publicUrl))
      throw new AppError(
        'forbidden',
        'No metrics under this name. Ask for an address, for a name without a dot, or for the name in PUBLIC_URL.',
      )
    await next()
  })
  app.get('/metrics', async (c) => {
    const { contentType, text } = await scrape()
    return c.body(text, 200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' })
  })
  if (ping !== null) {
    app.get('/livez', (c) => c.text('live\n', 200, { 'Cache-Control': 'no-store' }))
    app.get('/readyz', async (c) => {
      const problem = await ping().then(
        () => null,
        (error: unknown) => (isReadOnly(error) ? readOnlyAnswer : 'The database does not answer.\n'),
      )
      return c.text(problem ?? 'ready\n', problem === null ? 200 : 503, { 'Cache-Control': 'no-store' })
    })
  }
  return app
}

/** Starts measuring and serves the metrics on a separate port. Rejects with a readable message for the operator when the port is in use. */
export const startMetrics = async (
  source: Parameters<typeof createDocketMetrics>[0],
  { host, port, ...options }: { host: string; port: number } & MetricsOptions,
): Promise<Omit<Metrics, 'scrape'> & { stop: () => Promise<void> }> => {
  const metrics = createDocketMetrics(source)
  const { fetch } = createMetricsApp(metrics, options)
  const { log } = options
  const server = await startServer({ fetch, host, port, log, setting: 'METRICS_PORT' })
  log.info({ address: `${server.address}/metrics` }, 'measuring')
  const { scrape, ...measured } = metrics
  return { ...measured, stop: () => server.stop(0) }
}
