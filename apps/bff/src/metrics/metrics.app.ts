import { Hono } from 'hono'
import type { AppEnv } from '#http/app-env.ts'
import { AppError, statusOf } from '#http/app-error.ts'
import { ownHostOnly } from '#http/same-origin.ts'
import type { Log } from '#log.ts'
import type { Metrics } from './metrics.ts'

/** What answers on `METRICS_PORT`: `/metrics`, under Docket's own names, and nothing else. */
export const metricsApp = ({ scrape }: Pick<Metrics, 'scrape'>, publicUrl: URL | null, log: Log) => {
  const app = new Hono<AppEnv>()
  app.onError((error, c) => {
    if (error instanceof AppError) return c.text(`${error.message}\n`, statusOf[error.code])
    log.error({ err: error }, 'the metrics could not be written')
    return c.text('The metrics could not be written. The log says why.\n', 500)
  })
  app.notFound((c) => c.text('There is nothing at this address but /metrics.\n', 404))
  app.use(ownHostOnly(publicUrl))
  app.get('/metrics', async (c) => {
    const { contentType, text } = await scrape()
    return c.body(text, 200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' })
  })
  return app
}
