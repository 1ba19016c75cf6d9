import { createDiskStorage } from '@docket/artifact-store/local-disk/disk-storage'
import type { Role } from '@docket/api-types/session'
import type { Status } from '@docket/api-types/status'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { openInstance } from '#people/accounts/instance.ts'
import type { OidcSettings } from '#ground/config/oidc.ts'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import { httpAdminApi } from '#service/admin-api/http-admin-api.ts'
import { createDocketApp } from '#process/app.ts'
import type { CodeHost } from '#records/code-host/code-host.ts'
import { createClientOpener } from '#service/connections/open-client.ts'
import { describeTestConnection, embeddedFacts, testClient, testConnectionId } from '#testing/connection.ts'
import { openPool, probePool } from '#ground/db/pool.ts'
import { createConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { answerUnchanged } from '#ground/http/conditional-get/not-modified.ts'
import { startServer } from '#ground/http/server/server.ts'
import { createShedding, type ShedLimits } from '#ground/http/limits/shed-load.ts'
import { serveWebApp } from '#ground/http/web/web-app.ts'
import { openWebBuilds } from '#ground/http/web/web-builds.ts'
import { readWebFiles } from '#ground/http/web/web-files.ts'
import type { PreviewAddress } from '#ground/config/preview-address.ts'
import type { PreviewedArtifacts } from '#releases/releases-ctx.ts'
import type { Retention } from '#service/history/retention.ts'
import { createLog, type logLevels } from '#ground/log/log.ts'
import type { Maintenance } from '#overview/overview-ctx.ts'
import type { Secrets } from '#ground/secret/secrets.ts'
import type { BundleNeeds } from '#bundles/bundles.ts'
import { openAreas } from '#process/areas.ts'
import { testDatabase, type TestDatabase } from '#testing/database.ts'
import { deriveSecrets, testSecret } from '#testing/instance.ts'
import { signedIn } from '#testing/people.ts'
import { chooseCallsPerHour } from '#ground/config/config.ts'

/** Headers of a request. Undefined removes a default header. */
type TestHeaders = Record<string, string | undefined>

/** Parts that a test may replace. Without `adminApi` and `upstream`, no service answers. */
export type TestAppOptions = {
  adminApi?: AdminApi
  /** A server that speaks the Admin API, called over HTTP. */
  upstream?: { url: string; key: string }
  /** An open database that the test closes itself; a fresh copy of the template otherwise. */
  database?: Pick<TestDatabase, 'db' | 'url'>
  /** Milliseconds since the epoch. */
  now?: () => number
  /** `ADMIN_API_CALLS_PER_HOUR`. */
  callsPerHour?: number
  /** Retention of the history. */
  retentionDays?: Retention
  /** Also starts the watchers. */
  watch?: boolean
  mode?: Status['mode']
  /** The embedded service, and the settings that decide whether it runs. */
  local?: Status['local']
  embedded?: Partial<Parameters<typeof embeddedFacts>[0]>
  /** Its code host. */
  codeHost?: CodeHost
  /** Maintenance of the embedded service. */
  maintenance?: Maintenance
  /** True when no other process uses the database. */
  alone?: boolean
  bundleDelivery?: Status['bundleDelivery']
  /** Stored bundles. Default: Docket stores nothing. */
  artifacts?: Partial<BundleNeeds>
  /** Free space. Default: unknown, so there is room. */
  disks?: Parameters<typeof openAreas>[0]['disks']
  readWorkload?: Parameters<typeof openAreas>[0]['readWorkload']
  /** Scheduled backups. Default: none. */
  backups?: Parameters<typeof openAreas>[0]['backups']
  bundleHosts?: readonly string[]
  /** Where targets are allowed on this machine. Default: nowhere. */
  machine?: Parameters<typeof openAreas>[0]['machine']
  /** `CONNECTION_KEYS_DIR`. */
  keysFolder?: string
  /** `LOCAL_CODE_HOST` with its token. */
  ownCodeHosts?: Parameters<typeof openAreas>[0]['ownCodeHosts']
  /** Tests every new key. Off by default, because many tests count calls. */
  testKeys?: boolean
  /** `AGENT_JOB_CREATION`. */
  agentJobCreation?: boolean
  publicUrl?: URL
  /** Its name on this computer, such as `docket-0123456789ab.localhost`. */
  ownName?: string
  previewUrl?: PreviewAddress
  hostingUrl?: PreviewAddress
  /** Stored bundles of previews, instead of those in the store. */
  previewed?: PreviewedArtifacts
  /** The instance secret. Default: that of all tests, with which `signedIn` works without HTTP. */
  secrets?: Secrets
  /** A single sign-on. */
  oidc?: OidcSettings
  shed?: ShedLimits
  /**
   * Maximum wait of one request for the database; 20 s by default, because a loaded machine may need it. Milliseconds.
   */
  databaseWaitMs?: number
  /** Caller of the requests: a signed-in person with this role, or an unauthenticated one. */
  as?: Role | 'nobody'
  /**
   * The lowest level that `logged` contains; lower levels are slow in files with thousands of requests. Default: all.
   */
  logLevel?: (typeof logLevels)[number]
  /** Folder with a built web app. */
  webFolder?: string
}

// A port that no server uses, so that connections are refused at once.
const nobody = { url: 'http://127.0.0.1:1', key: 'nobody_listens' }

const notHere = () => {
  throw new Error('This test has no store.')
}

/** Docket stores nothing. */
const noArtifacts: BundleNeeds = {
  settings: {
    enabled: false,
    store: { kind: 'disk', folder: '/nowhere' },
    perSite: 20,
    retentionDays: 365,
    maxBytes: 2 ** 31,
  },
  storage: createDiskStorage('/nowhere'),
  stagingFolder: '/nowhere',
  openSite: notHere,
  analyse: notHere,
  makePortable: notHere,
  findFile: () => Promise.resolve(null),
}

/** Longest time for one call of the Admin API. Milliseconds. */
export const callTimeoutMs = 10_000

/**
 * The whole server with its own database, listening on a free port of 127.0.0.1. `get`, `post` and `delete` send the
 * same headers as Docket's own page; their last argument replaces headers. `logged` returns the whole log. Call `close`
 * at the end.
 */
export const testApp = async (options: TestAppOptions = {}) => {
  const { now = Date.now, upstream = nobody } = options
  const own = options.database === undefined ? await testDatabase() : null
  const { db, url: databaseUrl } = options.database ?? own!
  const ownProbes =
    databaseUrl === '' ? null : openPool({ ...probePool, connectionString: databaseUrl }, { warn: () => {} })
  const probes = ownProbes === null ? db : drizzle(ownProbes)
  const hosts = { publicUrl: options.publicUrl ?? null, ownName: options.ownName ?? null }
  const lines: string[] = []
  const log = createLog({ level: options.logLevel ?? 'trace', destination: { write: (line) => void lines.push(line) } })
  const http = httpAdminApi({
    baseUrl: upstream.url,
    key: () => upstream.key,
    now,
    timeouts: { connectMs: 2_000, headersMs: 5_000, bodyMs: 5_000, totalMs: callTimeoutMs },
  })
  const webFiles = await readWebFiles(options.webFolder ?? '/nowhere')
  const builds = openWebBuilds({ db, own: webFiles, now })
  if (options.webFolder !== undefined) await builds.save()
  await describeTestConnection(db, {
    kind: options.mode === 'local' ? 'embedded' : 'service',
    callsPerHour: options.callsPerHour ?? chooseCallsPerHour({ embedded: options.mode === 'local' }),
    timeoutMs: callTimeoutMs,
    bundleHosts: [...(options.bundleHosts ?? [])],
    agentJobCreation: options.agentJobCreation ?? true,
  })
  const instance = await openInstance(db, options.secrets ?? deriveSecrets(testSecret))
  const openAdded = createClientOpener({
    own: { environment: null, embedded: null },
    ring: instance,
    keysFolder: options.keysFolder ?? null,
    secrets: new Set(),
    onOutcome: () => {},
    onProblem: (problem) => log.warn(problem),
  })
  const { hostingUrl = null, previewUrl = null } = options
  const services = await openAreas({
    hostingUrl,
    previewUrl,
    previewed: options.previewed,
    db,
    cleanUpBuilds: builds.cleanUp,
    instance,
    hosts,
    oidc: options.oidc ?? null,
    probes,
    openClient: async (row) =>
      row.connectionId === testConnectionId ? testClient(options.adminApi ?? http) : openAdded(row),
    keysFolder: options.keysFolder ?? null,
    ownCodeHosts: options.ownCodeHosts ?? [],
    secrets: new Set(),
    testKeys: options.testKeys ?? false,
    databaseWaitMs: options.databaseWaitMs ?? 20_000,
    auditRetentionDays: 365,
    retentionDays: options.retentionDays ?? { staticExports: 365, agentJobs: 365 },
    now,
    log,
    facts: { version: '0.0.0-test', bundleDelivery: options.bundleDelivery ?? 'stream', local: options.local ?? null },
    artifacts: { ...noArtifacts, ...options.artifacts },
    backups: options.backups ?? null,
    machine: options.machine ?? { folders: [], repositories: [], workFolder: '/nowhere' },
    disks: options.disks ?? { list: () => [], hasRoom: () => true },
    codeHost: options.codeHost ?? null,
    maintenance: options.maintenance ?? null,
    readWorkload: options.readWorkload ?? null,
    embedded: embeddedFacts({ ...options.local, ...options.embedded }),
    alone: options.alone ?? false,
  })
  const shed = createShedding(log, { limits: options.shed })
  const { identify } = services.people
  const every = { log, polled: createConditionalGet(), hosts }
  const notModified = answerUnchanged({ ...every, identify })
  const app = createDocketApp(services, {
    ...every,
    version: '0.0.0-test',
    shed,
    pingDatabase: async () => void (await probes.execute(sql`select 1`)),
    webApp: serveWebApp(webFiles, builds.find),
  })
  const server = await startServer({
    fetch: app.fetch,
    first: (request, response) =>
      services.servePreview(request, response) ||
      services.serveHosted(request, response) ||
      notModified(request, response),
    host: '127.0.0.1',
    port: 0,
    log,
    publicUrl: hosts.publicUrl,
    databaseWaitMs: options.databaseWaitMs ?? 20_000,
  })
  if (options.watch === true) services.start()
  const url = `http://127.0.0.1:${server.port}`
  const { as = 'admin', publicUrl = null } = options
  const cookie = as === 'nobody' ? undefined : (await signedIn(db, as, { now: now(), publicUrl })).cookie

  const request = (method: string, path: string, headers: TestHeaders, body?: unknown) => {
    const present = Object.entries({ cookie, ...headers }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    )
    const content = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    return fetch(url + path, { method, headers: present, redirect: 'manual', ...content })
  }
  const changing = { origin: url, 'sec-fetch-site': 'same-origin', 'x-docket': '1' }

  return {
    app,
    services,
    shed,
    db,
    probes,
    databaseUrl,
    url,
    /** Cookies and headers of the caller's browser. */
    cookie,
    port: server.port,
    logged: () => lines.join(''),
    get: (path: string, headers: TestHeaders = {}) => request('GET', path, headers),
    /** Sends `body` as JSON, or unchanged when it is text. */
    post: (path: string, body?: unknown, headers: TestHeaders = {}) =>
      request(
        'POST',
        path,
        { ...changing, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        body,
      ),
    /** Like `post`, with another method. */
    send: (method: string, path: string, body: unknown, headers: TestHeaders = {}) =>
      request(method, path, { ...changing, 'content-type': 'application/json', ...headers }, body),
    delete: (path: string, headers: TestHeaders = {}) => request('DELETE', path, { ...changing, ...headers }),
    close: async () => {
      await server.stop(0)
      await services.stop()
      await services.background.stop(0)
      await services.close()
      await http.close()
      await ownProbes?.end()
      await own?.drop()
    },
  }
}

/** A running server of a test. */
export type TestApp = Awaited<ReturnType<typeof testApp>>
