import { sql } from 'drizzle-orm'
import { ConfigError } from '#ground/config/config.ts'
import { readEmbeddedSwitch } from '#service/connections/embedded-switch.ts'
import { countConnections, openProcess } from '#process/start/open-process.ts'
import { startLocalAdminApi } from '#process/start/local-admin-api.ts'
import { readOwnVersion } from '#process/start/own-version.ts'
import type { WorkAtOnce } from '#process/start/service-arguments.ts'
import type { StartService } from '#process/start/run.ts'

const needsDatabase =
  'A worker needs DATABASE_URL, the PostgreSQL of the Docket that it works for: the embedded PostgreSQL belongs to `docket start` alone.'
const needsServiceError = (because: string) =>
  `This Docket does not run its embedded service, because ${because}, so there is nothing to work on. Set LOCAL_ADMIN_API=true on every process, or stop this worker.`

/** `docket worker`: works on exports and agent jobs, and answers no requests. */
export const startWorker =
  (amounts: WorkAtOnce): StartService =>
  async (env, running) => {
    const { config, log, db, probes, instance, clock, disks } = await openProcess(env, running, ({ databaseUrl }) => {
      if (databaseUrl === null) throw new ConfigError([needsDatabase])
    })
    const { on, because } = await readEmbeddedSwitch(config, db)
    if (!on) throw new ConfigError([needsServiceError(because)])
    const worker = await startLocalAdminApi(config, { db, ring: instance }, log, {
      serves: false,
      hasRoom: disks.hasRoom,
      ...amounts,
    })
    running.defer(worker.close)
    const { metricsPort, metricsHost, publicUrl } = config
    if (metricsPort !== null) {
      const { startMetrics } = await import('#process/metrics/metrics.app.ts')
      const metrics = await startMetrics(
        {
          version: await readOwnVersion(),
          now: clock.now,
          load: () => ({ requests: 0, downloads: 0, shed: 0 }),
          disks: disks.list,
          read: async () => ({ connections: {}, storage: null, backups: null, workload: await worker.readWorkload() }),
          pool: () => countConnections(db),
        },
        {
          host: metricsHost,
          port: metricsPort,
          publicUrl,
          log,
          ping: async () => void (await probes.execute(sql`select 1`)),
        },
      )
      running.defer(metrics.stop)
    }
    const { exports = config.local.exports.atOnce, agents = config.local.agent.atOnce } = amounts
    return [`Docket’s worker is ready: exports at once ${exports}, agent jobs at once ${agents}`]
  }
