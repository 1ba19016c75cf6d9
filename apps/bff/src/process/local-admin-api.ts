import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { lockDataDir } from '@docket/embedded-postgres'
import type { Config } from '#config/config.ts'
import type { Database } from '#db/database.ts'
import type { Log } from '#log/log.ts'
import { listOwnHosts } from './own-hosts.ts'
import { readPrivateFile, writePrivateFile, openSecretFile } from '#data-folder/private-file.ts'

const lockWaitMs = 2_000

const keptFile = ({ dataDir }: Pick<Config, 'dataDir'>, name: string) => join(dataDir, `local-admin-api.${name}`)

/** Address that the local Admin API had when it ran last. Null when it never ran. */
export const lastLocalAddress = async (config: Pick<Config, 'dataDir'>): Promise<string | null> => {
  const port = await readPrivateFile(keptFile(config, 'port'))
  return port === null ? null : `http://127.0.0.1:${port}`
}

const ownGuide = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'guide')

const toRules = ({ author, committer, ...rules }: Config['local']['rules'], publicUrl: URL | null) => ({
  ...rules,
  ...(author && { author }),
  ...(committer && { committer }),
  // Without a public address a link would lead to the reader's own machine.
  jobPage:
    publicUrl &&
    ((projectId: string, jobId: string) =>
      new URL(`/agent-jobs/${encodeURIComponent(projectId)}/${encodeURIComponent(jobId)}`, publicUrl).href),
})

const toOptions = ({ local, ...config }: Config) => ({
  sites: local.sites ?? { 'docs.localhost': ownGuide },
  ...(local.projects && { projects: local.projects }),
  strict: local.strict,
  exports: {
    atOnce: local.exportsAtOnce,
    queueLength: local.exportQueue,
    keepDays: local.exportRetentionDays,
    refused: local.sitesWithoutExport,
    withHiddenPages: local.sitesWithHiddenPages,
    fetchHosts: local.exportFetchHosts,
  },
  mirror: { privateNetworks: local.mirrorNetworks },
  ...(local.s3 && { s3: local.s3 }),
  codeHosts: local.codeHosts,
  agent: {
    command: local.agentCommand,
    network: local.agentHosts && { hosts: local.agentHosts, refused: listOwnHosts({ local, ...config }) },
    envFile: local.agentEnvFile,
    checkCommand: local.agentCheckCommand,
    maxCostUsd: local.agentMaxCost,
    hidden: [config.dataDir],
    minutes: local.agentMinutes,
    archiveDays: local.agentArchiveDays,
    atOnce: local.agentJobsAtOnce,
    dayMaxUsd: local.agentDayMaxCost,
    rules: toRules(local.rules, config.publicUrl),
  },
})

/** Part of a process in the embedded service. `exports`, `agents`: work at once; absent: as the settings say. */
type Role = { serves: boolean; exports?: number; agents?: number; hasRoom: () => boolean }

/**
 * Starts this process of the embedded service, with its own key. Reuses the previous port, so that bookmarked addresses stay valid. Rejects
 * with `DataDirInUse` when another Docket uses the folder.
 */
export const startLocalAdminApi = async (
  config: Config,
  database: Database,
  log: Log,
  { serves, exports, agents, hasRoom }: Role,
) => {
  const keep = (name: string) => keptFile(config, name)
  // The embedded database locks the folder itself. With another database, this lock keeps a second Docket out.
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const unlock = config.databaseUrl === null ? () => {} : await lockDataDir(config.dataDir, lockWaitMs)
  // Loaded only when used, because it imports the whole site generator.
  const { localAdminApi } = await import('@docket/local-admin-api')
  const key = serves ? await openSecretFile(keep('key'), 'docket') : ''
  const options = toOptions(config)
  const startOn = (port: number) =>
    localAdminApi({
      ...options,
      exports: { ...options.exports, ...(exports !== undefined && { atOnce: exports }) },
      agent: { ...options.agent, ...(agents !== undefined && { atOnce: agents }) },
      serves,
      // One process owns the data folder, and with it the embedded database.
      alone: config.databaseUrl === null,
      dataDir: join(config.dataDir, 'local-admin-api'),
      database,
      hasRoom,
      key,
      port,
      log,
    })
  const known = Number((await readPrivateFile(keep('port'))) ?? 0)
  const { url, agentJobs, codeHost, maintenance, findBundle, readWorkload, useDocketUrl, close, ...facts } =
    await startOn(config.local.port || known).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      if (config.local.port !== 0)
        throw new Error(`LOCAL_ADMIN_API_PORT ${config.local.port} is already in use. Choose another one.`)
      log.warn({ port: known }, 'the port of the local Admin API is taken, so its addresses change')
      return startOn(0)
    })
  if (serves) await writePrivateFile(keep('port'), new URL(url).port)
  const stop = () => close().finally(unlock)
  return {
    baseUrl: url,
    key: () => Promise.resolve(key),
    readKey: undefined,
    /** Its domains, its projects, and whether it has an agent. */
    local: facts,
    agentJobs,
    findBundle,
    readWorkload,
    codeHost,
    maintenance,
    useDocketUrl,
    close: stop,
  }
}
