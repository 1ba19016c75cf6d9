import { describeStore } from '@docket/artifact-store/bundle-stores'
import type { Config } from '#ground/config/config.ts'
import { environment } from '#ground/config/environment.ts'
import { findHostProblems } from '#ground/http/access/other-hosts.ts'
import { localFolder } from '#ground/config/stores.ts'
import { isLoopbackAddress } from '#ground/config/values.ts'
import { fine, unwise, type Finding } from './finding.ts'

/** Beginnings of names that only Docket's settings have. */
const ownNames =
  /^(ADMIN_API_|AGENT_COMM|AGENT_JOB|ARTIFACTS?_|AUTH_SECRET|BUNDLE_HOST|CONNECTION_KEY|LOCAL_ADMIN_API|LOCAL_CODE_HOST|LOCAL_EXPORT|LOCAL_S3_|OIDC_|SETUP_ADMIN_|TARGET_(FOLDER|REPOSITOR)|TRUSTED_PROX)/

/** Names in the environment that look like settings of Docket and are none. */
export const findUnknownNames = (env: NodeJS.ProcessEnv): Finding[] =>
  Object.keys(env)
    .filter((name) => ownNames.test(name) && !Object.hasOwn(environment.shape, name))
    .map((name) => unwise(`${name} is no setting of Docket, so it has no effect. Correct its name, or remove it.`))

/** Host, port and path of an address, without user, password and parameters. */
const showPlace = (address: string): string => {
  const url = new URL(address)
  return `${url.searchParams.get('host') ?? url.host}${url.pathname}`
}

const findUnwise = (config: Config): Finding[] => {
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
    ...(databaseUrl === null ? [] : findUnshared(config)),
  ]
}

/** What has to be set before a second Docket uses the database. Only the database knows whether an admin switched the embedded service on or off. */
const findUnshared = ({ adminApi, localAdminApi, local, artifacts }: Config): Finding[] => {
  const runsEmbedded = localAdminApi ?? (adminApi === null || local.sites !== null)
  if (runsEmbedded && local.store === null)
    return [
      unwise(
        'The bundles of the embedded Admin API are in DATA_DIR, which is fine for one machine. Before you start Docket on a second one, set ARTIFACT_S3_BUCKET, or one ARTIFACT_STORE_DIR that all machines share.',
      ),
    ]
  const folder = localFolder(artifacts.store)
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

const findUsed = (config: Config): Finding[] => {
  const { host, port, publicUrl, databaseUrl, databaseDirectUrl, dataDir, authSecret, artifacts, oidc } = config
  const direct = databaseDirectUrl === null ? '' : `, and directly at ${showPlace(databaseDirectUrl())}`
  return [
    `Address: ${host.includes(':') ? `[${host}]` : host}:${port}, for people ${publicUrl?.origin ?? 'a name on this computer that each start prints'}.`,
    databaseUrl === null
      ? `Database: the embedded one in ${dataDir}.`
      : `Database: PostgreSQL at ${showPlace(databaseUrl())}${direct}.`,
    `Instance secret: ${authSecret === null ? `docket.secret in ${dataDir}` : 'from AUTH_SECRET'}.`,
    describeAdminApi(config),
    artifacts.enabled ? `Stored bundles: ${describeStore(artifacts.store)}.` : 'Stored bundles: turned off.',
    `Single sign-on: ${oidc === null ? 'none' : oidc.issuer.href}.`,
  ].map(fine)
}

/** What a valid configuration uses, and what in it is unwise. Shows no secret. */
export const checkSettings = (config: Config): Finding[] => [...findUnwise(config), ...findUsed(config)]
