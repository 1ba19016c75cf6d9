import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { z } from 'zod'
import { openInstance } from '#accounts/instance.ts'
import type { Outcome } from '#admin-api/connection.ts'
import { httpAdminApi } from '#admin-api/http-admin-api.ts'
import { outcomeLog, outcomeOf } from '#admin-api/outcome-log.ts'
import { docketApp } from '#app.ts'
import { readConfig } from '#config.ts'
import { databaseClock, readDatabaseClock } from '#db/database-clock.ts'
import { openDatabase } from '#db/open.ts'
import { polledAnswers } from '#http/polled/polled-answers.ts'
import { unchangedFirst } from '#http/polled/unchanged-first.ts'
import { startServer } from '#http/server.ts'
import type { Answered } from '#http/request-context.ts'
import { shedding } from '#http/shed.ts'
import { webApp } from '#http/web-app.ts'
import { startLocalAdminApi } from '#local-admin-api.ts'
import { createLog, type Log } from '#log.ts'
import { closeDataFolder } from '#private-process.ts'
import { buildServices } from '#services.ts'
import { within, type Stopping } from '#shutdown.ts'

const versionOfDocket = async (): Promise<string> =>
  z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(import.meta.dirname, '..', 'package.json'), 'utf8'))).version

/** Starts everything and returns its address, and a link that creates the first account when there is none. What was started is on `running`, last first, also when this fails. */
export const start = async (
  env: NodeJS.ProcessEnv,
  running: AsyncDisposableStack,
  stopping: Stopping,
): Promise<{ address: string; setupLink: string | null }> => {
  const { graceMs } = stopping
  let log: Log | undefined
  const config = await readConfig(env, (problem) => log?.warn(problem))
  const secrets = new Set<string>()
  log = createLog({ level: config.logLevel, destination: pino.destination({ dest: 2, sync: true }), secrets })

  const open = await closeDataFolder(config.dataDir)
  if (open !== null) log.warn(open)
  const {
    db,
    probes,
    kind,
    close: closeDatabase,
  } = await openDatabase({
    databaseUrl: config.databaseUrl?.(),
    dataDir: config.dataDir,
    log,
  })
  running.defer(closeDatabase)
  // An embedded database has this machine's own clock.
  const clock = databaseClock({ read: () => readDatabaseClock(probes), log })
  if (kind === 'external') {
    await clock.compare()
    running.defer(clock.keep())
  }

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
  const hearOutcome: ((outcome: Outcome) => void)[] = [outcomeLog(log)]
  const adminApi = httpAdminApi({
    baseUrl: upstream.baseUrl,
    key: watched(upstream.key),
    readKey: upstream.readKey && watched(upstream.readKey),
    onOutcome: (outcome) => hearOutcome.forEach((hear) => hear(outcome)),
    timeouts: { headersMs: config.adminApiTimeoutMs, totalMs: config.adminApiTimeoutMs },
  })
  let inTime = true
  // A read that was cut by its own process says nothing about the service, so what is late is left to end with the process.
  running.defer(async () => (inTime ? adminApi.close() : undefined))

  const version = await versionOfDocket()
  const services = buildServices({
    db,
    instance: await openInstance(db),
    publicUrl: config.publicUrl,
    oidc: config.oidc,
    probes,
    adminApi,
    hasReadKey: upstream.readKey !== undefined,
    callsPerHour: config.adminApiCallsPerHour,
    retentionDays: config.historyRetentionDays,
    auditRetentionDays: config.auditRetentionDays,
    now: clock.now,
    log,
    facts: {
      version,
      mode: upstream.local === null ? 'connected' : 'local',
      deploymentKind: config.deploymentKind,
      bundleDelivery: config.bundleDelivery,
      local: upstream.local,
    },
    bundleHosts: config.bundleHosts,
    // The data folder, and with it the embedded database, belongs to one process.
    alone: kind === 'embedded',
    callTimeoutMs: config.adminApiTimeoutMs,
  })
  running.defer(services.close)
  const shed = shedding(log, { waiting: () => db.$client.waitingCount })
  const { host, port, metricsPort, publicUrl } = config
  // Only loaded when it is used.
  const metrics =
    metricsPort === null
      ? null
      : await (
          await import('#metrics/start-metrics.ts')
        ).startMetrics(
          {
            version,
            now: clock.now,
            load: shed.load,
            read: services.reading,
            pool: () => ({
              total: db.$client.totalCount,
              idle: db.$client.idleCount,
              waiting: db.$client.waitingCount,
            }),
          },
          { host: config.metricsHost, port: metricsPort, publicUrl, log },
        )
  if (metrics !== null) {
    hearOutcome.push((outcome) => metrics.onCall({ ...outcome, outcome: outcomeOf(outcome) }))
    running.defer(metrics.stop)
  }
  const every = {
    log,
    polled: polledAnswers(),
    draining: () => stopping.draining,
    onAnswer: (answered: Answered) => metrics?.onAnswer(answered),
    publicUrl,
  }
  const app = docketApp(services, {
    ...every,
    version,
    shed,
    bundleDelivery: config.bundleDelivery,
    pingDatabase: async () => void (await probes.execute(sql`select 1`)),
    webApp: await webApp(join(import.meta.dirname, '..', '..', 'web', 'dist')),
  })
  const server = await startServer({
    fetch: app.fetch,
    first: unchangedFirst({ ...every, identify: services.accounts.identify }),
    host,
    port,
    log,
    setting: 'PORT',
  })
  services.start()
  services.background.start()
  running.defer(async () => {
    const watching = async () => {
      await Promise.all([services.stop(), services.background.stop(graceMs)])
    }
    // Once more at the end: a request that was still answered may have begun another start.
    const all = Promise.all([server.stop(graceMs), watching()]).then(watching)
    inTime = await within(graceMs, all)
    if (!inTime) log.warn('not everything ended in time; what was under way is taken up again after its lease')
  })
  stopping.drainMs = config.shutdownDrainMs
  const setupLink = await services.accounts.setupLink()
  const address = publicUrl?.origin ?? server.address
  return { address: server.address, setupLink: setupLink === null ? null : `${address}/setup#${setupLink}` }
}
