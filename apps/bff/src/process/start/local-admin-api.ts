import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#ground/config/config.ts'
import { findLocalFolder } from '#ground/config/stores.ts'
import { readPostgresAddress } from '#ground/db/address.ts'
import type { Database } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'
import { decryptText, encryptText, type KeyRing } from '#ground/secret/encrypted-text.ts'
import { readPrivateFile, writePrivateFile, openSecretFile } from '#ground/data-folder.ts'

type OwnHost = { host: string; port: number; nameOnly?: boolean }

const publicHosts = { github: ['github.com', 'api.github.com'], gitlab: ['gitlab.com'], gitea: [] }

const parseAddress = (address: string): OwnHost[] => {
  if (!URL.canParse(address)) return []
  const { hostname, port, protocol } = new URL(address)
  const usual = protocol === 'http:' ? 80 : 443
  return [{ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? usual : Number(port) }]
}

/**
 * Lists hosts of Docket that no agent may reach, whatever AGENT_COMMAND_HOSTS allows: its ports, its databases and its code hosts. The
 * ports that the process listens on need no entry.
 */
export const listOwnHosts = (
  config: Pick<Config, 'local' | 'port' | 'metricsPort' | 'publicUrl' | 'databaseUrl' | 'databaseDirectUrl'>,
): OwnHost[] => {
  const { local, port, metricsPort, publicUrl, databaseUrl, databaseDirectUrl } = config
  const codeHosts = local.codeHosts.flatMap(({ url, kind }) => url ?? publicHosts[kind])
  return [
    ...[port, metricsPort ?? 0].filter((own) => own > 0).map((own) => ({ host: '127.0.0.1', port: own })),
    ...[databaseUrl, databaseDirectUrl].flatMap((address) =>
      address === null ? [] : (readPostgresAddress(address()).hosts ?? []),
    ),
    ...codeHosts.flatMap((host) => parseAddress(host.includes('://') ? host : `https://${host}`)),
    // Its address may belong to a reverse proxy that serves other hosts too.
    ...(publicUrl === null ? [] : parseAddress(publicUrl.href).map((own) => ({ ...own, nameOnly: true }))),
  ]
}

const lockWaitMs = 2_000

const locateKeptFile = ({ dataDir }: Pick<Config, 'dataDir'>, name: string) => join(dataDir, `local-admin-api.${name}`)

/** Address that the local Admin API had when it last ran. Null when it never ran. */
export const readLastLocalAddress = async (config: Pick<Config, 'dataDir'>): Promise<string | null> => {
  const port = await readPrivateFile(locateKeptFile(config, 'port'))
  return port === null ? null : `http://127.0.0.1:${port}`
}

const ownGuide = join(import.meta.dirname, '..', '..', '..', '..', '..', 'docs', 'guide')

const toAgentRules = ({ author, committer, ...rules }: Config['local']['rules'], publicUrl: URL | null) => ({
  ...rules,
  ...(author && { author }),
  ...(committer && { committer }),
  // Without a public address a link would lead to the reader's own machine.
  jobPage:
    publicUrl &&
    ((projectId: string, jobId: string) =>
      new URL(`/agent-jobs/${encodeURIComponent(projectId)}/${encodeURIComponent(jobId)}`, publicUrl).href),
})

const toServiceOptions = (config: Config) => {
  const { sites, projects, port, store, agent, rules, ...options } = config.local
  const { hosts, ...limits } = agent
  return {
    ...options,
    sites: sites ?? { 'docs.localhost': ownGuide },
    ...(projects && { projects }),
    ...(store && { store }),
    agent: {
      ...limits,
      network: hosts && { hosts, refused: listOwnHosts(config) },
      hidden: [config.dataDir],
      rules: toAgentRules(rules, config.publicUrl),
    },
  }
}

type Volume = 'data' | 'temporary' | 'artifacts'

const listVolumes = ({ local: { store } }: Config): Volume[] => [
  'data',
  'temporary',
  ...(store !== null && findLocalFolder(store) !== null ? ['artifacts' as const] : []),
]

/** Key of the service for all of its processes, created by the first one. It is also in `file`, for people. */
const openSharedKey = async (file: string, database: Database, ring: KeyRing): Promise<string> => {
  const { openServiceKey } = await import('@docket/local-admin-api/service-key')
  const own = await openSecretFile(file, 'docket')
  const seals = { seal: (text: string) => encryptText(ring, text), open: (sealed: string) => decryptText(ring, sealed) }
  const key = await openServiceKey(database, own, seals)
  if (key !== own) await writePrivateFile(file, key)
  return key
}

/** `exports` and `agents` limit the concurrent work. Without them, the settings apply. */
type Role = {
  serves: boolean
  exports?: number
  agents?: number
  hasRoom: (...volumes: Volume[]) => boolean
}

/**
 * Starts this process of the embedded service, with its own key. Reuses the previous port, so that bookmarked addresses stay valid. Rejects
 * with `DataDirInUse` when another Docket uses the folder.
 */
export const startLocalAdminApi = async (
  config: Config,
  { db: database, ring }: { db: Database; ring: KeyRing },
  log: Log,
  { serves, exports, agents, hasRoom }: Role,
) => {
  const keep = (name: string) => locateKeptFile(config, name)
  // The embedded database locks the folder itself. With another database, this lock keeps a second Docket out.
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const { lockDataDir } = await import('@docket/embedded-postgres')
  const unlock = config.databaseUrl === null ? () => {} : await lockDataDir(config.dataDir, lockWaitMs)
  // Loaded only when used, because it imports the whole site generator.
  const { localAdminApi } = await import('@docket/local-admin-api')
  const key = serves ? await openSharedKey(keep('key'), database, ring) : ''
  const { store } = config.local
  if (store !== null && findLocalFolder(store) === null && store.prefix === '')
    log.warn(
      'LOCAL_S3_* are older names of ARTIFACT_S3_*, and still win for the bundles of the embedded service; to use ARTIFACT_S3_* for them, remove LOCAL_S3_* once the older bundles are no longer needed',
    )
  const options = toServiceOptions(config)
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
      hasRoom: () => hasRoom(...listVolumes(config)),
      key,
      port,
      log,
    })
  const known = Number((await readPrivateFile(keep('port'))) ?? 0)
  const { url, agentJobs, codeHost, maintenance, findBundle, readWorkload, setDocketUrl, close, ...facts } =
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
    local: facts,
    agentJobs,
    findBundle,
    readWorkload,
    codeHost,
    maintenance,
    setDocketUrl,
    close: stop,
  }
}
