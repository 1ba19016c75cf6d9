import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { z } from 'zod'
import { connectionLog } from '#admin-api/connection.ts'
import { httpAdminApi } from '#admin-api/http-admin-api.ts'
import { docketApp } from '#app.ts'
import { readConfig } from '#config.ts'
import { openDatabase } from '#db/open.ts'
import { startServer } from '#http/server.ts'
import { webApp } from '#http/web-app.ts'
import { startLocalAdminApi } from '#local-admin-api.ts'
import { createLog, type Log } from '#log.ts'
import { buildServices } from '#services.ts'
import { stopOnSignal } from '#shutdown.ts'

const graceMs = 10_000
const forcedAfterMs = 20_000

const versionOfDocket = async (): Promise<string> =>
  z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(import.meta.dirname, '..', 'package.json'), 'utf8'))).version

/** Starts everything and returns the address. What was started is on `running`, last first, also when this fails. */
const start = async (running: AsyncDisposableStack): Promise<string> => {
  let log: Log | undefined
  const config = await readConfig(process.env, (problem) => log?.warn(problem))
  const secrets = new Set<string>()
  log = createLog({ level: config.logLevel, destination: pino.destination({ dest: 2, sync: true }), secrets })

  const { db, close: closeDatabase } = await openDatabase({
    databaseUrl: config.databaseUrl ?? undefined,
    dataDir: config.dataDir,
    log,
  })
  running.defer(closeDatabase)

  const upstream =
    config.adminApi === null
      ? await startLocalAdminApi(config, log)
      : { ...config.adminApi, local: null, close: undefined }
  if (upstream.close !== undefined) running.defer(upstream.close)
  // The log must know a key before anything else can hold it.
  const watched = (key: () => Promise<string>) => async () => {
    const current = await key()
    secrets.add(current)
    return current
  }
  const connection = connectionLog({ now: Date.now })
  const adminApi = httpAdminApi({
    baseUrl: upstream.baseUrl,
    key: watched(upstream.key),
    readKey: upstream.readKey && watched(upstream.readKey),
    onOutcome: connection.record,
    timeouts: { headersMs: config.adminApiTimeoutMs, totalMs: config.adminApiTimeoutMs },
  })
  running.defer(adminApi.close)

  const version = await versionOfDocket()
  const services = buildServices({
    db,
    adminApi,
    connection: connection.current,
    now: Date.now,
    log,
    facts: {
      version,
      mode: upstream.local === null ? 'connected' : 'local',
      deploymentKind: config.deploymentKind,
      bundleDelivery: config.bundleDelivery,
      local: upstream.local,
    },
    bundleHosts: config.bundleHosts,
    callTimeoutMs: config.adminApiTimeoutMs,
  })
  const app = docketApp(services, {
    version,
    log,
    publicUrl: config.publicUrl,
    bundleDelivery: config.bundleDelivery,
    pingDatabase: async () => void (await db.execute(sql`select 1`)),
    webApp: await webApp(join(import.meta.dirname, '..', '..', 'web', 'dist')),
  })
  const server = await startServer({ fetch: app.fetch, host: config.host, port: config.port, log })
  services.start()
  running.defer(() => services.stop())
  running.defer(() => server.stop(graceMs))
  return server.address
}

const running = new AsyncDisposableStack()
// Whoever reads the one line may close the pipe.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
// Node would open a debugger for this signal, and a debugger gives away every secret.
process.on('SIGUSR1', () => {})
stopOnSignal(() => running.disposeAsync(), forcedAfterMs)
try {
  process.stdout.write(`Docket is ready at ${await start(running)}\n`)
} catch (error) {
  if (running.disposed) await new Promise(() => {})
  process.stderr.write(`Docket could not start. ${error instanceof Error ? error.message : String(error)}\n`)
  await running.disposeAsync().catch(() => {})
  process.exit(1)
}
