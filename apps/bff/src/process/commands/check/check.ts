import { resolve } from 'node:path'
import { readFile } from 'node:fs/promises'
import { url as debuggerAddress } from 'node:inspector'
import { ConfigError, readConfig, type Config } from '#ground/config/config.ts'
import { findUnusableRepositories } from '#releases/targets/open-target.ts'
import { checkFiles } from './files.ts'
import { unwise, wrong, type Finding, fine } from './finding.ts'
import { describeProxy, findProxy } from '@docket/outbound/proxy'
import { describeStore } from '@docket/artifact-store/bundle-stores'
import { environment } from '#ground/config/environment.ts'
import { findHostProblems } from '#ground/http/access/other-hosts.ts'
import { findLocalFolder } from '#ground/config/stores.ts'
import { isLoopbackAddress } from '#ground/config/values.ts'
import { describePlace, readPostgresAddress } from '#ground/db/address.ts'
import { schemas } from '#ground/db/schemas.ts'

/** Prefixes that only names of Docket's settings have. */
const ownNames =
  /^(ADMIN_API_|AGENT_COMM|AGENT_JOB|ARTIFACTS?_|AUTH_SECRET|BUNDLE_HOST|CONNECTION_KEY|LOCAL_ADMIN_API|LOCAL_CODE_HOST|LOCAL_EXPORT|LOCAL_S3_|OIDC_|SETUP_ADMIN_|TARGET_(FOLDER|REPOSITOR)|TRUSTED_PROX)/

/** Names in the environment that look like settings of Docket but are not. */
const findUnknownNames = (env: NodeJS.ProcessEnv): Finding[] =>
  Object.keys(env)
    .filter((name) => ownNames.test(name) && !Object.hasOwn(environment.shape, name))
    .map((name) => unwise(`${name} is no setting of Docket, so it has no effect. Correct its name, or remove it.`))

const showPlace = (address: string): string => describePlace(readPostgresAddress(address))

const findUnwiseSettings = (config: Config): Finding[] => {
  const { publicUrl, trustedProxies, databaseUrl, authSecret, metricsHost, metricsPort } = config
  return [
    ...(publicUrl?.protocol === 'https:' && trustedProxies.length === 0
      ? [
          unwise(
            'PUBLIC_URL is an https address, so a proxy is in front, but TRUSTED_PROXIES is not set: everyone behind the proxy counts as one address. Name the proxy.',
          ),
        ]
      : []),
    ...(databaseUrl !== null && authSecret === null
      ? [
          unwise(
            'DATABASE_URL is set without AUTH_SECRET, so the secret of this database is only in DATA_DIR. Keep DATA_DIR, and give every other Docket on the database the same docket.secret, or set AUTH_SECRET.',
          ),
        ]
      : []),
    ...findHostProblems(config).map(unwise),
    ...(metricsPort !== null && !isLoopbackAddress(metricsHost)
      ? [unwise(`Metrics need no sign-in, and METRICS_HOST is ${metricsHost}: let only Prometheus reach METRICS_PORT.`)]
      : []),
    ...(databaseUrl === null ? [] : findUnsharedSettings(config)),
  ]
}

/** Only the database knows whether an admin switched the embedded service on or off. */
const findUnsharedSettings = ({ adminApi, localAdminApi, local, artifacts }: Config): Finding[] => {
  const runsEmbedded = localAdminApi ?? (adminApi === null || local.sites !== null)
  if (runsEmbedded && local.store === null)
    return [
      unwise(
        'The bundles of the embedded Admin API are in DATA_DIR, which is fine for one machine. Before you start Docket on a second one, set ARTIFACT_S3_BUCKET, or one ARTIFACT_STORE_DIR that all machines share.',
      ),
    ]
  const folder = findLocalFolder(artifacts.store)
  if (!artifacts.enabled || folder === null) return []
  const sentence = `Several Dockets on one database need one store of bundles: give all of them ${folder}, or set ARTIFACT_S3_BUCKET.`
  return [fine(sentence)]
}

const describeAdminApi = ({ adminApi, localAdminApi }: Config): string => {
  if (adminApi === null)
    return localAdminApi === false
      ? 'Admin API: none from the environment; admins add connections in Settings.'
      : 'Admin API: the embedded one, unless a connection is saved.'
  const { origin, pathname } = new URL(adminApi.baseUrl)
  return `Admin API: ${origin}${pathname}, with a key${adminApi.readKey === undefined ? '' : ' and a read key'}.`
}

const listUsedSettings = (config: Config): Finding[] => {
  const { host, port, publicUrl, databaseUrl, databaseDirectUrl, dataDir, authSecret, artifacts, oidc } = config
  const direct = databaseDirectUrl === null ? '' : `, and directly at ${showPlace(databaseDirectUrl())}`
  return [
    `Address: ${host.includes(':') ? `[${host}]` : host}:${port}, for people ${publicUrl?.origin ?? 'a name on this computer that each start prints'}.`,
    databaseUrl === null
      ? `Database: the embedded one in ${dataDir}.`
      : `Database: PostgreSQL at ${showPlace(databaseUrl())}${direct}, in the schema ${schemas.own}.`,
    `Instance secret: ${authSecret === null ? `docket.secret in ${dataDir}` : 'from AUTH_SECRET'}.`,
    describeAdminApi(config),
    artifacts.enabled ? `Stored bundles: ${describeStore(artifacts.store)}.` : 'Stored bundles: turned off.',
    `Single sign-on: ${oidc === null ? 'none' : `${oidc.issuer.href}, groups from the claim ${oidc.groupsClaim}`}.`,
  ].map(fine)
}

/** Names the proxy of each service that the settings name. Nothing without a proxy. */
const describeWayOut = ({ adminApi, oidc, artifacts: { store } }: Config, env: NodeJS.ProcessEnv): Finding[] => {
  const bucket = store.kind === 's3' ? (store.endpoint ?? 'https://s3.amazonaws.com') : ''
  const services = { 'the Admin API': adminApi?.baseUrl, 'single sign-on': oidc?.issuer.href, 'the bucket': bucket }
  const others = { 'other https': 'https://example.com', 'other http': 'http://example.com' }
  return Object.entries({ ...services, ...others }).flatMap(([name, address = '']) => {
    const proxy = address === '' ? null : findProxy(new URL(address), env)
    return proxy === null ? [] : fine(`Proxy of ${name}: ${describeProxy(proxy)}.`)
  })
}

/** A clock before this year is wrong, because this version did not exist then. */
const firstYear = 2026

const checkCoreDumps = async (): Promise<Finding[]> => {
  const [limits, pattern] = await Promise.all(
    ['/proc/self/limits', '/proc/sys/kernel/core_pattern'].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  const soft = /^Max core file size +(\S+)/m.exec(limits!)?.[1]
  if (pattern!.startsWith('|'))
    return [
      unwise(
        'kernel.core_pattern is a pipe, so a crash could store Docket’s memory, secrets included. Turn the collector off for Docket.',
      ),
    ]
  return soft === undefined || soft === '0'
    ? []
    : [
        unwise(
          'A crash could write Docket’s memory, secrets included, to a core file. Set the limit to 0 (ulimit -c 0, LimitCORE=0, --ulimit core=0).',
        ),
      ]
}

const checkMachine = async (now: number): Promise<Finding[]> => [
  ...(new Date(now).getUTCFullYear() < firstYear
    ? [wrong(`The clock of this machine says ${new Date(now).toISOString()}. Set it: sign-in and links depend on it.`)]
    : []),
  ...(debuggerAddress() === undefined
    ? []
    : [
        wrong(
          'Node was started with a debugger (--inspect, perhaps in NODE_OPTIONS). Docket refuses to start with it.',
        ),
      ]),
  ...(process.getuid?.() === 0 ? [unwise('Docket runs as root and needs no root. Give it a user of its own.')] : []),
  ...(await checkCoreDumps()),
]

/** Data folder of an environment, even of one with mistakes. */
export const findDataDir = (env: NodeJS.ProcessEnv): string => resolve(env['DATA_DIR']?.trim() || './data')

/** Reads the configuration. Returns null and the errors when it has any. */
export const readSettings = async (env: NodeJS.ProcessEnv) => {
  const findings: Finding[] = []
  try {
    return { config: await readConfig(env, (problem) => findings.push(unwise(problem))), findings }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { config: null, findings: error.problems.map(wrong) }
  }
}

/** Reports everything that can be found out about an environment before a start. Makes connections only with `reach`. */
export const checkAll = async (env: NodeJS.ProcessEnv, { reach }: { reach: boolean }): Promise<Finding[]> => {
  const { config, findings } = await readSettings(env)
  return [
    ...findings,
    ...findUnknownNames(env),
    ...(config === null
      ? []
      : [...findUnwiseSettings(config), ...listUsedSettings(config), ...describeWayOut(config, env)]),
    ...(config === null ? [] : (await findUnusableRepositories(config.targets)).map(wrong)),
    ...(await checkFiles(env, findDataDir(env))),
    ...(await checkMachine(Date.now())),
    ...(reach && config !== null ? await (await import('./services.ts')).checkServices(config) : []),
  ]
}
