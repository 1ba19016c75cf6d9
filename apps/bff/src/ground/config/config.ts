import { proxyNames } from '@docket/outbound/proxy'
import { openKeySource } from '#ground/config/key-source.ts'
import { checkClientCertificate, type ExtraCredentials, parseHeaderLines } from './extra-credentials.ts'
import { environment, type Environment } from './environment.ts'
import { findArtifactContradictions, readArtifactSettings, findOpenStores, listLinkHosts } from './stores.ts'
import { findBackupContradictions, readBackupSettings } from './backups.ts'
import { findLocalContradictions, readLocalSettings } from './local.ts'
import { findOidcContradictions, readOidcSettings } from './oidc.ts'
import { findBlockedPort, isLoopbackAddress } from './values.ts'
import { listSecretVariables, VariableDescription } from './variable.ts'

/** Default of `ADMIN_API_CALLS_PER_HOUR`: one call a second, or ten for the embedded service, whose calls are free. */
export const chooseCallsPerHour = ({ embedded }: { embedded: boolean }): number => (embedded ? 36_000 : 3600)

/** Settings that the environment gives to its connection, and to the embedded service. */
export const readServiceSettings = (config: Config, { embedded }: { embedded: boolean }) => {
  const offersAll = embedded && !config.local.strict
  return {
    deploymentKind: config.deploymentKind,
    callsPerHour: config.adminApiCallsPerHour ?? chooseCallsPerHour({ embedded }),
    timeoutMs: config.adminApiTimeoutMs,
    bundleHosts: [...config.bundleHosts, ...(embedded ? listLinkHosts(config.local.store) : [])],
    agentJobCreation: config.agentJobCreation ?? offersAll,
    agentJobList: offersAll,
    keyPrefix: null,
    headerNames: embedded ? [] : Object.keys(config.adminApi?.extra().headers ?? {}),
    clientCertificateExpiresOn: embedded ? null : (config.adminApi?.clientCertificateExpiresOn ?? null),
  }
}

/** Lists every mistake of the configuration, one line each, without any secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`These settings need a change:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

type Problems = string[]
type KeyName = 'ADMIN_API_KEY' | 'ADMIN_API_READ_KEY'

/** Wraps a secret in a function, so printing the configuration cannot print it. */
const hideSecret = (secret: string | undefined) => (secret === undefined ? null : () => secret)

const readSetupAdmin = (env: Environment) => {
  const password = hideSecret(env.SETUP_ADMIN_PASSWORD ?? env.SETUP_ADMIN_PASSWORD_FILE)
  const email = env.SETUP_ADMIN_EMAIL
  return email === undefined || password === null ? null : { email, password }
}

/** Checks the rules between variables. `isSet` is also true for an invalid value, so that one mistake is not reported twice. */
const findContradictions = (isSet: (name: string) => boolean, env: Partial<Environment>): Problems => {
  const has = (name: string) => isSet(name) || isSet(`${name}_FILE`)
  const problems = listSecretVariables(environment.shape)
    .filter((name) => isSet(name) && isSet(`${name}_FILE`))
    .map((name) => `${name} and ${name}_FILE are both set. Keep one of them.`)
  if (isSet('ADMIN_API_URL') && !has('ADMIN_API_KEY'))
    problems.push(
      'ADMIN_API_URL is set without a key. Set ADMIN_API_KEY or ADMIN_API_KEY_FILE too, or remove it to work with this machine alone.',
    )
  if (isSet('SETUP_ADMIN_EMAIL') !== has('SETUP_ADMIN_PASSWORD'))
    problems.push(
      'SETUP_ADMIN_EMAIL and SETUP_ADMIN_PASSWORD only work together. Set the other one too, or remove both.',
    )
  if (has('AUTH_SECRET_PREVIOUS') && !has('AUTH_SECRET'))
    problems.push('AUTH_SECRET_PREVIOUS is set without AUTH_SECRET. Set the current secret too, or remove it.')
  if (has('DATABASE_DIRECT_URL') && !has('DATABASE_URL'))
    problems.push('DATABASE_DIRECT_URL is set without DATABASE_URL. Set the address of the pooler too, or remove it.')
  if (isSet('DATABASE_SCHEMA') && !has('DATABASE_URL'))
    problems.push('DATABASE_SCHEMA is set without DATABASE_URL. The embedded database is Docket’s alone: remove it.')
  // Behind a proxy, no browser opens it.
  const blocked = isSet('PUBLIC_URL') ? undefined : findBlockedPort(String(env.PORT))
  if (blocked !== undefined) problems.push(`PORT ${blocked}.`)
  if (has('ADMIN_API_CLIENT_CERT') !== has('ADMIN_API_CLIENT_KEY'))
    problems.push(
      'ADMIN_API_CLIENT_CERT and ADMIN_API_CLIENT_KEY only work together. Set the other one too, or remove both.',
    )
  for (const name of ['ADMIN_API_KEY', 'ADMIN_API_READ_KEY', 'ADMIN_API_HEADERS', 'ADMIN_API_CLIENT_CERT'])
    if (has(name) && !isSet('ADMIN_API_URL'))
      problems.push(
        `${isSet(name) ? name : `${name}_FILE`} is set without ADMIN_API_URL. Set the address of the Admin API too, or remove ${name.endsWith('KEY') ? 'the key' : 'it'}.`,
      )
  return [
    ...problems,
    ...findOidcContradictions(has),
    ...findLocalContradictions(has, env),
    ...findArtifactContradictions(has),
    ...findBackupContradictions(has, env),
    ...findOpenStores(env),
  ]
}

/**
 * Refuses plain HTTP for other machines, because passwords would cross the network unencrypted. Ignores invalid values, which are already
 * reported.
 */
const findPlainHttp = ({ HOST }: Partial<Environment>, publicUrl: URL | null | undefined): Problems =>
  HOST === undefined || isLoopbackAddress(HOST) || publicUrl === undefined || publicUrl?.protocol === 'https:'
    ? []
    : [
        'HOST lets other machines in, and Docket itself speaks plain HTTP, so passwords would cross the network for everybody to read. Put a proxy with TLS in front and set PUBLIC_URL to its https address, or keep HOST at 127.0.0.1.',
      ]

const openAdminKey = async (
  env: Partial<Environment>,
  name: KeyName,
  onProblem: (message: string) => void,
  problems: Problems,
) => {
  const [value, file] = [env[name], env[`${name}_FILE`]]
  if (value === undefined && file === undefined) return undefined
  return openKeySource({ name, value, file, prefix: env.ADMIN_API_KEY_PREFIX, onProblem }).catch((error: unknown) => {
    problems.push(error instanceof Error ? error.message : `${name} cannot be read.`)
    return undefined
  })
}

const readExtraCredentials = (env: Partial<Environment>, problems: Problems) => {
  const certificate = env.ADMIN_API_CLIENT_CERT ?? env.ADMIN_API_CLIENT_CERT_FILE
  const key = env.ADMIN_API_CLIENT_KEY ?? env.ADMIN_API_CLIENT_KEY_FILE
  const clientCertificate = certificate === undefined || key === undefined ? null : { certificate, key }
  const read = <T>(name: string, parse: () => T): T | null => {
    try {
      return parse()
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : 'It can’t be read.'}`)
      return null
    }
  }
  const lines = env.ADMIN_API_HEADERS ?? env.ADMIN_API_HEADERS_FILE ?? ''
  const headers = read('ADMIN_API_HEADERS', () => parseHeaderLines(lines)) ?? {}
  return {
    extra: (): ExtraCredentials => ({ headers, clientCertificate }),
    clientCertificateExpiresOn:
      clientCertificate && read('ADMIN_API_CLIENT_CERT', () => checkClientCertificate(clientCertificate)),
  }
}

/**
 * Parses the environment; an empty value counts as unset. Rejects with `ConfigError`. Calls `onKeyProblem` for later
 * problems of a key file.
 */
export const readConfig = async (
  variables: Readonly<Record<string, string | undefined>>,
  onKeyProblem: (message: string) => void = () => {},
) => {
  const readVariable = (name: string) =>
    (proxyNames.includes(name) && variables[name.toLowerCase()]?.trim()) || variables[name]?.trim() || undefined
  const problems: Problems = []
  const env: Partial<Environment> = Object.fromEntries(
    Object.entries(environment.shape).map(([name, schema]) => {
      const parsed = schema.safeParse(readVariable(name))
      if (!parsed.success) problems.push(`${name} ${parsed.error.issues[0]?.message ?? 'is not valid'}.`)
      return [name, parsed.data]
    }),
  )
  problems.push(...findContradictions((name) => readVariable(name) !== undefined, env))
  problems.push(...findPlainHttp(env, readVariable('PUBLIC_URL') === undefined ? null : env.PUBLIC_URL))
  const key = await openAdminKey(env, 'ADMIN_API_KEY', onKeyProblem, problems)
  const readKey = await openAdminKey(env, 'ADMIN_API_READ_KEY', onKeyProblem, problems)
  const extra = readExtraCredentials(env, problems)
  if (problems.length > 0) throw new ConfigError(problems)
  // When there is no mistake, every variable was parsed, so these defaults are never used.
  const full = env as Environment
  return {
    port: full.PORT,
    host: full.HOST,
    publicUrl: full.PUBLIC_URL ?? null,
    /** Address below which previews get their own host names. Null when they get them only under Docket's own name on this computer. */
    previewUrl: full.PREVIEW_URL ?? null,
    /**
     * Address below which hosted channels get host names. Null when they are hosted only under localhost, or under a host name set for the
     * channel.
     */
    hostingUrl: full.HOSTING_URL ?? null,
    trustedProxies: full.TRUSTED_PROXIES ?? [],
    /** The first admin; created when no account exists. */
    setupAdmin: readSetupAdmin(full),
    /** The instance secret. Null when it is in a file in `dataDir`. */
    authSecret: hideSecret(full.AUTH_SECRET ?? full.AUTH_SECRET_FILE),
    authSecretPrevious: hideSecret(full.AUTH_SECRET_PREVIOUS ?? full.AUTH_SECRET_PREVIOUS_FILE),
    dataDir: full.DATA_DIR,
    /** Address of the database, perhaps with a password. Null for the embedded database. */
    databaseUrl: hideSecret(full.DATABASE_URL ?? full.DATABASE_URL_FILE),
    /** Address of the same database without the pooler. Null when it is `databaseUrl`. */
    databaseDirectUrl: hideSecret(full.DATABASE_DIRECT_URL ?? full.DATABASE_DIRECT_URL_FILE),
    /** Whether the local Admin API runs. Null when it runs only while no connection exists. */
    localAdminApi: full.LOCAL_ADMIN_API ?? null,
    /** Folder of key files that a connection may name. */
    connectionKeysDir: full.CONNECTION_KEYS_DIR ?? null,
    /** The connection that the environment describes. Null when there is none. */
    adminApi:
      full.ADMIN_API_URL === undefined || key === undefined
        ? null
        : { baseUrl: full.ADMIN_API_URL, key, readKey, ...extra },
    /** Maximum calls in any hour, for each key. 0 disables polling. Null for the default of the kind of service. */
    adminApiCallsPerHour: full.ADMIN_API_CALLS_PER_HOUR ?? null,
    adminApiTimeoutMs: full.ADMIN_API_TIMEOUT_MS,
    bundleDelivery: full.BUNDLE_DELIVERY,
    artifacts: readArtifactSettings(full),
    /** Program that takes pictures of first pages. Null without pictures. */
    pictureBrowser: full.PICTURE_BROWSER ?? null,
    /** Null without scheduled backups. */
    backups: readBackupSettings(full),
    historyRetentionDays: full.HISTORY_RETENTION_DAYS,
    auditRetentionDays: full.AUDIT_RETENTION_DAYS,
    auditLog: full.AUDIT_LOG,
    /** Empty when every public host is allowed. */
    bundleHosts: full.BUNDLE_HOSTS ?? [],
    /** Folders of this machine in which targets may be, and repositories that may be targets. */
    targets: { folders: full.TARGET_FOLDERS ?? [], repositories: full.TARGET_REPOSITORIES ?? [] },
    deploymentKind: full.DEPLOYMENT_KIND,
    /** True when people may create agent jobs and send follow-up messages. Null when only the local Admin API allows it. */
    agentJobCreation: full.AGENT_JOB_CREATION ?? null,
    local: readLocalSettings(full),
    /** Null without single sign-on. */
    oidc: readOidcSettings(full),
    /** Null without metrics. 0 for a free port. */
    metricsPort: full.METRICS_PORT ?? null,
    metricsHost: full.METRICS_HOST,
    /** Maximum wait of one request for the database before its first byte. Milliseconds. */
    databaseWaitMs: full.DATABASE_WAIT_MS,
    shutdownDrainMs: full.SHUTDOWN_DRAIN_MS,
    logLevel: full.LOG_LEVEL,
  }
}

/** The operator's settings. Paths are absolute. Secrets are functions, so printing the configuration cannot print them. */
export type Config = Awaited<ReturnType<typeof readConfig>>

/** Prints the variables as a Markdown table for `docs/configuration.md`. */
export const printConfiguration = (): string => {
  const rows = Object.entries(environment.shape).map(([name, schema]) => {
    const { about, example, byDefault } = VariableDescription.parse(schema.meta())
    const shownDefault = byDefault === undefined ? '' : `\`${byDefault}\``
    return `| \`${name}\` | ${about} | ${shownDefault} | \`${example}\` |`
  })
  return ['| Variable | What it does | Default | Example |', '| --- | --- | --- | --- |', ...rows, ''].join('\n')
}

/** Location of the database and the data folder. The URL is null for the embedded database. */
export const toDatabasePlace = (
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>,
): { databaseUrl: string | null; dataDir: string } => ({
  databaseUrl: (config.databaseDirectUrl ?? config.databaseUrl)?.() ?? null,
  dataDir: config.dataDir,
})
