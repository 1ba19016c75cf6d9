import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lockDataDir } from '@docket/embedded-postgres'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { z } from 'zod'
import { connectionLog } from '#admin-api/connection.ts'
import { httpAdminApi } from '#admin-api/http-admin-api.ts'
import { docketApp } from '#app.ts'
import { readConfig, type Config } from '#config.ts'
import { openDatabase } from '#db/open.ts'
import { startServer } from '#http/server.ts'
import { webApp } from '#http/web-app.ts'
import { createLog, type Log } from '#log.ts'
import { readRemembered, remember, rememberedSecret } from '#remembered.ts'
import { buildServices } from '#services.ts'
import { stopOnSignal } from '#shutdown.ts'

const lockWaitMs = 2_000
const graceMs = 10_000
const forcedAfterMs = 20_000

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

/** Starts the local Admin API on the port it had before, so that addresses people kept stay valid. */
const startLocal = async (config: Config, log: Log) => {
  const keep = (name: string) => join(config.dataDir, `local-admin-api.${name}`)
  // The embedded database locks the folder itself; beside another one nothing else keeps a second Docket out of it.
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const unlock = config.databaseUrl === null ? () => {} : await lockDataDir(config.dataDir, lockWaitMs)
  // Only loaded when it is used: it brings the whole site generator along.
  const { localAdminApi } = await import('@docket/local-admin-api')
  const key = await rememberedSecret(keep('key'), 'docket')
  const startOn = (port: number) =>
    localAdminApi({
      dataDir: join(config.dataDir, 'local-admin-api'),
      sites: config.localSites ?? { 'docs.localhost': join(import.meta.dirname, '..', '..', '..', 'docs', 'guide') },
      key,
      port,
      log,
    })
  const known = Number((await readRemembered(keep('port'))) ?? 0)
  const { close, ...local } = await startOn(config.localAdminApiPort || known).catch((error: unknown) => {
    if (codeOf(error) !== 'EADDRINUSE') throw error
    if (config.localAdminApiPort !== 0)
      throw new Error(`LOCAL_ADMIN_API_PORT ${config.localAdminApiPort} is already in use. Choose another one.`)
    log.warn({ port: known }, 'the port of the local Admin API is taken, so its addresses change')
    return startOn(0)
  })
  await remember(keep('port'), new URL(local.url).port)
  const stop = () => close().finally(unlock)
  return { baseUrl: local.url, key: () => Promise.resolve(key), readKey: undefined, local, close: stop }
}

const listenFailure = (error: unknown, { host, port }: Config): unknown => {
  if (codeOf(error) === 'EADDRINUSE')
    return new Error(
      `Port ${port} on ${host} is already in use. Stop what uses it, or set PORT to another one; 0 takes a free one.`,
    )
  if (codeOf(error) === 'EACCES') return new Error(`Docket may not listen on port ${port}. Set PORT to 1024 or higher.`)
  return error
}

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
    config.adminApi === null ? await startLocal(config, log) : { ...config.adminApi, local: null, close: undefined }
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
    timeouts: { headersMs: config.adminApiTimeoutMs / 2, totalMs: config.adminApiTimeoutMs },
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
  })
  const app = docketApp(services, {
    version,
    log,
    publicUrl: config.publicUrl,
    bundleDelivery: config.bundleDelivery,
    pingDatabase: async () => void (await db.execute(sql`select 1`)),
    webApp: await webApp(join(import.meta.dirname, '..', '..', 'web', 'dist')),
  })
  const server = await startServer({ fetch: app.fetch, host: config.host, port: config.port, log }).catch(
    (error: unknown) => {
      throw listenFailure(error, config)
    },
  )
  services.start()
  running.defer(() => services.stop())
  running.defer(() => server.stop(graceMs))
  return `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${server.port}`
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
