import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { recordVersion } from '#overview/about/about.ts'
import { makeSignInLinkIfNeeded } from '#people/accounts/first-start/sign-in-link.ts'
import { createConfiguredAdmin, makeSetupLink } from '#people/accounts/setup.ts'
import type { PeopleCtx } from '#people/people-ctx.ts'
import { countOrphanTokens } from '#people/tokens/api-tokens.service.ts'
import { endsWithin } from '#ground/clock.ts'
import { describeCorrection } from '#ground/config/base-url.ts'
import { type Outcome, logOutcomes, nameOutcome } from '#service/admin-api/connection.ts'
import { createDocketApp } from '#process/app.ts'
import { readEmbeddedSwitch } from '#service/connections/embedded-switch.ts'
import { assignRecords } from '#service/connections/assign-records.ts'
import { describeEnvironment, normaliseBaseUrl } from '#service/connections/describe-environment.ts'
import { createClientOpener } from '#service/connections/open-client.ts'
import { readServiceSettings, ConfigError, type Config } from '#ground/config/config.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { createLog } from '#ground/log/log.ts'
import { hasTwin } from '#ground/http/server/listen.ts'
import { createConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { answerUnchanged } from '#ground/http/conditional-get/not-modified.ts'
import { startServer } from '#ground/http/server/server.ts'
import type { Answered } from '#ground/http/request-context.ts'
import { createShedding } from '#ground/http/limits/shed-load.ts'
import { serveWebApp } from '#ground/http/web/web-app.ts'
import { openWebBuilds } from '#ground/http/web/web-builds.ts'
import { readWebFiles } from '#ground/http/web/web-files.ts'
import { openBackups, openArtifacts } from '#process/start/open-stores.ts'
import { readOwnVersion } from '#process/start/own-version.ts'
import { readLastLocalAddress, startLocalAdminApi } from '#process/start/local-admin-api.ts'
import { findHostProblems } from '#ground/http/access/other-hosts.ts'
import { guideFolder, openStoredGuide } from '#overview/help/stored-guide.ts'
import { serveHelp } from '#overview/help/serve-help.ts'
import { openOwnName } from '#ground/data-folder.ts'
import { countConnections, openProcess } from '#process/start/open-process.ts'
import type { StartService } from '#process/start/run.ts'
import { openAreas } from '#process/areas.ts'
import type { Stopping } from '#process/start/shutdown.ts'

/** Creates the configured admin. Throws `ConfigError` when the password is too weak. */
const createSetupAdmin = async (people: PeopleCtx, admin: Config['setupAdmin']): Promise<void> => {
  if (admin === null) return
  const { email, password } = admin
  await createConfiguredAdmin(people, { email, password: password() }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid_request')
      throw new ConfigError([`SETUP_ADMIN_PASSWORD is refused. ${error.message}`])
    throw error
  })
}

const findNextStep = async (people: PeopleCtx, address: string): Promise<NextStep | null> => {
  const setup = await makeSetupLink(people)
  if (setup !== null) return { link: `${address}/setup#${setup}`, to: 'create the first account' }
  const signIn = await makeSignInLinkIfNeeded(people)
  return signIn === null ? null : { link: `${address}/link#${signIn}`, to: 'sign in' }
}

/** The next step for the operator: a link that creates the first account, or that signs in an admin who has no other way to sign in. */
type NextStep = { link: string; to: 'create the first account' | 'sign in' }

const needsDatabase =
  '--no-workers needs DATABASE_URL: no other machine reaches the embedded PostgreSQL, so nobody could do the work. Set it, or start without --no-workers.'

/**
 * Starts everything. Returns the address, the numeric one if the address is a name, and the next step if nobody can sign in. `running`
 * stops what was started, in reverse order, even after a failure. Without `works`, other processes do the work of the embedded service.
 */
const startServices = async (
  { works }: { works: boolean },
  env: NodeJS.ProcessEnv,
  running: AsyncDisposableStack,
  stopping: Stopping,
): Promise<{ address: string; plainAddress: string | null; next: NextStep | null }> => {
  const { graceMs } = stopping
  const { config, log, secrets, db, probes, kind, instance, clock, disks } = await openProcess(
    env,
    running,
    (asked) => {
      if (!works && asked.databaseUrl === null) throw new ConfigError([needsDatabase])
    },
  )
  const service = config.adminApi
  const { on, because } = await readEmbeddedSwitch(config, db)
  log.info({ because }, `the embedded service is ${on ? 'on' : 'off'}`)
  const local = on
    ? await startLocalAdminApi(config, { db, ring: instance }, log, {
        hasRoom: disks.hasRoom,
        serves: true,
        ...(!works && { exports: 0, agents: 0 }),
      })
    : null
  if (local !== null) running.defer(local.close)
  const mending = service === null ? null : describeCorrection(service.baseUrl)
  if (mending !== null) log.warn(mending)
  const environment = service && { ...service, baseUrl: normaliseBaseUrl(service.baseUrl) }
  await describeEnvironment(db, {
    environment: environment && { baseUrl: environment.baseUrl, ...readServiceSettings(config, { embedded: false }) },
    embedded: local && readServiceSettings(config, { embedded: true }),
  })
  const localAddresses = [local?.baseUrl, await readLastLocalAddress(config)].filter(
    (address) => typeof address === 'string',
  )
  const assigned = await assignRecords(db, localAddresses)
  if (assigned > 0) log.info({ records: assigned }, 'gave records of an earlier version their connection')
  const noteCall = logOutcomes(log)
  const hearOutcome: ((connection: string, outcome: Outcome) => void)[] = [(_, outcome) => noteCall(outcome)]
  const openClient = createClientOpener({
    own: { environment, embedded: local },
    ring: instance,
    keysFolder: config.connectionKeysDir,
    secrets,
    onOutcome: (row, outcome) => hearOutcome.forEach((hear) => hear(row.name, outcome)),
    onProblem: (problem) => log.warn(problem),
  })
  let inTime = true

  const version = await readOwnVersion()
  await recordVersion(db, version, clock.now())
  const { publicUrl } = config
  const hosts = {
    publicUrl,
    ownName: publicUrl === null && hasTwin(config.host) ? await openOwnName(config.dataDir) : null,
  }
  const webFiles = await readWebFiles(join(import.meta.dirname, '..', '..', '..', '..', 'web', 'dist'))
  const builds = openWebBuilds({ db, own: webFiles, now: clock.now })
  // Once this process serves its page, every other process must have the files of that page.
  await builds.save()
  const artifacts = await openArtifacts(config)
  running.defer(() => artifacts.close())
  const backups = await openBackups(config, version)
  running.defer(() => backups?.close())
  const { hostingUrl, previewUrl } = config
  const auditLog =
    config.auditLog === 'stdout' ? createLog({ level: 'info', destination: process.stdout, secrets }) : undefined
  const services = await openAreas({
    hostingUrl,
    previewUrl,
    db,
    cleanUpBuilds: builds.cleanUp,
    instance,
    hosts,
    oidc: config.oidc,
    probes,
    openClient,
    keysFolder: config.connectionKeysDir,
    ownCodeHosts: local === null ? [] : config.local.codeHosts,
    secrets,
    testKeys: true,
    databaseWaitMs: config.databaseWaitMs,
    retentionDays: config.historyRetentionDays,
    auditRetentionDays: config.auditRetentionDays,
    printAudit: auditLog && ((audit) => auditLog.info({ audit })),
    now: clock.now,
    log,
    facts: { version, bundleDelivery: config.bundleDelivery, local: local?.local ?? null },
    embedded: {
      domains: local?.local.domains ?? Object.keys(config.local.sites ?? {}),
      projectIds: local?.local.projectIds ?? Object.keys(config.local.projects ?? {}),
      readSwitch: (tx) => readEmbeddedSwitch(config, tx),
    },
    artifacts: { ...artifacts.needs, findFile: local?.findBundle ?? (() => Promise.resolve(null)) },
    codeHost: local?.codeHost ?? null,
    readChanges: local?.agentJobs.changes,
    maintenance: local?.maintenance ?? null,
    readWorkload: local?.readWorkload ?? null,
    disks,
    machine: { ...config.targets, workFolder: join(config.dataDir, 'deliveries') },
    backups: backups?.needs ?? null,
    // One process owns the data folder, and with it the embedded database.
    alone: kind === 'embedded',
  })
  // Requests that are cut by a shutdown would look like failures of the service, so late ones end with the process.
  running.defer(async () => (inTime ? services.close() : undefined))
  await createSetupAdmin(services.people, config.setupAdmin)
  const orphans = await countOrphanTokens(services.people)
  if (orphans > 0)
    log.warn(
      { tokens: orphans },
      'API tokens are paused, because the accounts of their owners are gone; revoke them in Settings › People and tokens, or hand them over to you',
    )
  const shed = createShedding(log, { waiting: () => db.$client.waitingCount })
  const { host, port, metricsPort } = config
  const metrics =
    metricsPort === null
      ? null
      : await (
          await import('#process/metrics/metrics.app.ts')
        ).startMetrics(
          {
            version,
            now: clock.now,
            load: shed.load,
            disks: disks.list,
            read: async () => ({ ...(await services.reading()), workload: (await local?.readWorkload()) ?? null }),
            pool: () => countConnections(db),
          },
          { host: config.metricsHost, port: metricsPort, publicUrl, log, ping: null },
        )
  if (metrics !== null) {
    services.onPullRequestRead(metrics.onPullRequestRead)
    hearOutcome.push((connection, outcome) => metrics.onCall({ ...outcome, connection, outcome: nameOutcome(outcome) }))
    running.defer(metrics.stop)
  }
  const every = {
    log,
    polled: createConditionalGet(),
    draining: () => stopping.draining,
    onAnswer: (answered: Answered) => metrics?.onAnswer(answered),
    hosts,
    trustedProxies: config.trustedProxies,
  }
  for (const problem of findHostProblems(config)) log.warn(problem)
  const help = serveHelp({
    hosts,
    hostedHosts: services.hosting.hosts,
    guide: openStoredGuide(guideFolder),
    log,
  })
  const notModified = answerUnchanged({ ...every, identify: services.people.identify })
  const app = createDocketApp(services, {
    ...every,
    version,
    shed,
    pingDatabase: async () => void (await probes.execute(sql`select 1`)),
    webApp: serveWebApp(webFiles, builds.find),
  })
  const server = await startServer({
    fetch: app.fetch,
    first: (request, response) =>
      services.servePreview(request, response) ||
      help(request, response) ||
      services.serveHosted(request, response) ||
      notModified(request, response),
    host,
    port,
    both: hosts.ownName !== null,
    log,
    setting: 'PORT',
    databaseWaitMs: config.databaseWaitMs,
    publicUrl,
    trustedProxies: config.trustedProxies,
  })
  services.background.start()
  services.start()
  running.defer(async () => {
    const watching = async () => {
      await Promise.all([services.stop(), services.background.stop(graceMs)])
    }
    // Runs again at the end, because a late request may have started another one.
    const all = Promise.all([server.stop(graceMs), watching()]).then(watching)
    inTime = await endsWithin(graceMs, all)
    if (!inTime) log.warn('not everything ended in time; what was under way is taken up again after its lease')
  })
  stopping.drainMs = config.shutdownDrainMs
  // Any program on the machine that has the service's key can read these links, so they must not reveal Docket's own hostname.
  local?.setDocketUrl(publicUrl?.origin ?? server.address)
  const own = hosts.ownName === null ? null : `http://${hosts.ownName}:${server.port}`
  const next = await findNextStep(services.people, publicUrl?.origin ?? own ?? server.address)
  return { address: own ?? server.address, plainAddress: own === null ? null : server.address, next }
}

export const startDocket =
  (options: { works: boolean }): StartService =>
  async (env, running, stopping) => {
    const { address, plainAddress, next } = await startServices(options, env, running, stopping)
    return [
      `Docket is ready at ${address}`,
      ...(next === null ? [] : [`Open ${next.link} to ${next.to}.`]),
      ...(plainAddress === null ? [] : [`For scripts, or if your browser can’t open that name: ${plainAddress}`]),
    ]
  }
