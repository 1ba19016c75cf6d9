import { aboutService } from '#people/accounts/about/about.service.ts'
import { accountService } from '#people/accounts/accounts.service.ts'
import { savedViewService } from '#people/accounts/saved-views/saved-views.service.ts'
import { signInMethods } from '#people/accounts/sign-in-methods.ts'
import { countActive as countActiveJobs, jobReads } from '#records/agent-jobs/agent-jobs.list.ts'
import { pullRequestReadsAt } from '#records/agent-jobs/pull-requests/pull-request-reads.ts'
import { agentPromptService } from '#records/agent-jobs/prompts/agent-prompts.service.ts'
import { savedPromptService } from '#records/agent-jobs/saved-prompts/saved-prompts.service.ts'
import { agentJobService } from '#records/agent-jobs/agent-jobs.service.ts'
import { apiTokenService } from '#people/tokens/api-tokens.service.ts'
import { tokenFinder } from '#people/tokens/find-token.ts'
import { auditService } from '#ground/audit/audit.service.ts'
import { auditSealing } from '#ground/audit/chain/sealing.ts'
import { refusals } from '#ground/audit/refusals.ts'
import { agentJobs as agentJobTable } from '#records/agent-jobs/agent-jobs.table.ts'
import { scheduledBackups } from '#process/backup/scheduled/scheduled-backups.ts'
import { downloadRights } from '#bundles/download/download-rights.ts'
import { storedBundles } from '#bundles/download/stored-bundles.ts'
import { activityOfRecords } from './activity-of-records.ts'
import { artifactServices } from './artifact-services.ts'
import { siteServices, type SiteServices } from './site-services.ts'
import { targetServices, type TargetServices } from '#releases/targets/target-services.ts'
import { connectionServices, type ConnectionServices } from './connection-services.ts'
import type { Dependencies } from './service-dependencies.ts'
import { recurringWork } from './recurring-work.ts'
import { background } from '#ground/background/background.ts'
import { eventQueue } from '#ground/db/boss.ts'
import { eventBus } from '#ground/events.ts'
import { connectionRegistry } from '#service/connections/connection-registry.ts'
import { listConnectionsWithin } from '#service/connections/connections-within.ts'
import { connectionReports } from '#service/connection-settings/connection-reports.ts'
import { connectionSettings } from '#service/connection-settings/connection-settings.service.ts'
import { pickPart } from '#service/connections/per-connection.ts'
import { projectService } from '#service/connection-settings/projects.ts'
import { resumeCalls } from '#service/connection-settings/resume-calls.ts'
import { endTimedOutPrompts } from '#records/agent-jobs/prompts/timed-out-prompts.ts'
import { idleSchedule } from '#service/polling/schedule.ts'
import { endTimedOutStarts } from '#records/static-exports/static-exports.watcher.ts'
import { codeHostLinks } from '#records/code-host/code-host-link.ts'
import { codeHostService } from '#records/code-host/code-host.service.ts'
import { maintenanceService } from '#overview/maintenance/maintenance.service.ts'
import { workloadService } from '#overview/workload/workload.service.ts'
import { endPreviews } from '#releases/previews/previews.service.ts'
import { trackViewers } from '#service/polling/viewers.ts'
import { pollingMetrics } from '#service/polling/metrics.ts'
import { countActive as countActiveExports, exportReads } from '#records/static-exports/static-exports.list.ts'
import { exportsForArtifacts, uploadPlace } from '#records/static-exports/static-exports.artifacts.ts'
import { normaliseDomain } from '#records/static-exports/domain.ts'
import { staticExportService } from '#records/static-exports/static-exports.service.ts'
import { staticExports as staticExportTable } from '#records/static-exports/static-exports.table.ts'
import { pullRequestService } from '#records/pull-requests/pull-requests.service.ts'
import { statusService } from '#overview/status/status.service.ts'

/** Builds every service from the same few dependencies, for the server and for tests. Nothing is polled before `start`. */
export const buildServices = async (dependencies: Dependencies) => {
  const { db, instance, hosts, oidc, probes, openClient, testKeys, now, log, facts } = dependencies
  const { codeHost, databaseWaitMs, retentionDays, auditRetentionDays, alone, maintenance, cleanUpBuilds } =
    dependencies
  const work = background({ runSql: (text, values) => db.$client.query(text, values), log })
  const events = eventBus({ wake: () => work.wakeSoon(eventQueue) })
  work.addRecords(events.work)
  const ctx = { db, now, log, events }
  events.on('export.removed', (tx, { exportId }) => endPreviews(tx, exportId))
  const audit = auditService({ db, now, retentionDays: auditRetentionDays })
  const sealing = auditSealing({ db, log })
  const refused = refusals({ db, now, log })
  const pullRequests = pullRequestService({
    db,
    ring: instance,
    own: dependencies.ownCodeHosts,
    secrets: dependencies.secrets,
    jobs: pullRequestReadsAt(db),
    findWatcher: (connectionId) => connections.find(connectionId)?.pullRequests,
    now,
  })
  const connections = connectionRegistry<ConnectionServices>({
    db,
    build: async (row) =>
      connectionServices(row, await openClient(row), {
        ...ctx,
        bundleRecords: staticExports,
        codeHosts: pullRequests.watching,
        bundleDelivery: facts.bundleDelivery,
        alone,
        testKeys,
      }),
    // Ends calls at connections that nobody watches any more.
    embedded: dependencies.embedded,
    sweep: async () => {
      await endTimedOutStarts(db, now())
      await endTimedOutPrompts(db, { now: now(), schedule: idleSchedule })
      await artifacts.tick()
      await sites.tick()
      await targets.tick()
    },
    log,
  })
  const artifacts = artifactServices({
    ...dependencies.artifacts,
    db,
    exports: exportsForArtifacts(ctx),
    sources: { readWhole: (exportId, signal, use) => bundles.readWhole(exportId, signal, use) },
    uploads: uploadPlace(connections),
    ensureInScope: (exportId, scope) => staticExports.ensureInScope(exportId, scope),
    endPreviews,
    onChanged: (exportId) => sites.onArtifactChanged(exportId),
    isEmbedded: (connectionId) => connections.isEmbedded(connectionId),
    hasRoom: () => dependencies.disks.hasRoom('data', 'artifacts'),
    request: (queue, key) => work.requestRecord(queue, key),
    alone,
    now,
    log,
  })
  const sites: SiteServices = siteServices({
    db,
    artifacts: artifacts.ofSites,
    gateFacts: artifacts.gateFacts,
    addresses: dependencies.addresses,
    onReleased: [(tx, released) => targets.onReleased(tx, released)],
    now,
    log,
  })
  const targets: TargetServices = targetServices({
    ...dependencies,
    reader: sites.reader,
    openSite: artifacts.openSite,
    hold: artifacts.ofSites.hold,
    request: (queue, key) => work.requestRecord(queue, key),
  })
  events.on('export.completed', artifacts.service.onCompleted)
  const staticExports = staticExportService({
    ...ctx,
    readArtifacts: artifacts.readByExport,
    connections: pickPart(connections, ({ staticExports: here }) => here),
    retentionDays: retentionDays.staticExports,
  })
  const bundles = storedBundles({
    findStored: artifacts.findCopy,
    findRight: downloadRights({ db, now }),
    records: staticExports,
    connections: pickPart(connections, ({ bundles: here }) => here),
  })
  const agentJobs = agentJobService({
    db,
    connections: pickPart(connections, ({ agentJobs: here }) => here),
    now,
    retentionDays: retentionDays.agentJobs,
    ownLink: codeHostLinks({ publicUrl: hosts.publicUrl, projectIds: codeHost?.projectIds ?? [] }),
    changes: dependencies.readChanges ?? null,
    hasAgent: facts.local?.agent?.configured ?? true,
  })
  const agentPrompts = agentPromptService({
    db,
    connections: pickPart(connections, ({ agentPrompts: here }) => here),
    jobs: agentJobs,
    describeOrder: maintenance?.describe ?? null,
    now,
  })
  const wakeAll = (kind: 'staticExports' | 'agentJobs') => () => {
    for (const here of connections.all()) here[kind].watcher.wake()
  }
  const interest = trackViewers({
    db,
    kinds: {
      static_exports: { table: staticExportTable, key: [staticExportTable.exportId], wake: wakeAll('staticExports') },
      agent_jobs: {
        table: agentJobTable,
        key: [agentJobTable.connectionId, agentJobTable.projectId, agentJobTable.id],
        wake: wakeAll('agentJobs'),
      },
    },
    scheduleOf: (connectionId) => connections.find(connectionId)?.schedule,
    now,
    log,
  })
  const kinds = [exportReads(db, now), jobReads(db, now)]
  const reports = connectionReports({ registry: connections, kinds, retentionDays, now })
  const apiTokens = { ...apiTokenService({ db, normaliseDomain, now }), ...tokenFinder({ db, now, log }) }
  const accounts = accountService({ db, instance, hosts, oidcName: oidc?.name ?? null, now, apiTokens })
  const backups = scheduledBackups({ ...dependencies, request: (name) => work.request(name) })
  recurringWork({
    work,
    db,
    now,
    retentionDays,
    audit,
    sealing,
    staticExports,
    agentJobs,
    cleanUpBuilds,
    artifacts,
    targets,
    backups,
  })
  const readPolling = pollingMetrics({
    probes,
    kinds: {
      static_exports: { table: staticExportTable, countActive: countActiveExports },
      agent_jobs: { table: agentJobTable, countActive: countActiveJobs },
    },
    connections: connections.all,
    now,
  })
  await connections.refresh()
  return {
    audit,
    refusals: refused,
    /** Milliseconds since the epoch. */
    now,
    accounts,
    apiTokens,
    savedViews: savedViewService({ db, now }),
    about: aboutService({ db, version: facts.version, now }),
    savedPrompts: savedPromptService({ db, prompts: agentPrompts, now }),
    signInMethods: signInMethods({ db, instance, accounts, oidc }),
    staticExports,
    artifacts,
    sites,
    targets,
    disks: dependencies.disks,
    workload: workloadService({ read: dependencies.readWorkload, now }),
    backups,
    bundles,
    agentJobs,
    agentPrompts,
    maintenance: maintenanceService({ db, maintenance, connections, now }),
    status: statusService({
      facts,
      now,
      report: reports.summary,
      findConnections: (token) => listConnectionsWithin(db, token),
      active: async (scope) => {
        const [exporting, working] = await Promise.all([staticExports.countActive(scope), agentJobs.countActive(scope)])
        return { staticExports: exporting, agentJobs: working }
      },
    }),
    connections: {
      ...connectionSettings({ ...dependencies, registry: connections, reports, ring: instance }),
      report: reports.report,
      resume: resumeCalls({
        db,
        registry: connections,
        kinds,
        wake: () => {
          wakeAll('staticExports')()
          wakeAll('agentJobs')()
        },
        now,
      }),
      codeHosts: pullRequests.settings,
      refresh: connections.refresh,
      /** What runs at the active connections. */
      all: connections.all,
    },
    projects: projectService({ db, choose: connections.choose, now }),
    activity: activityOfRecords({ db, staticExports, agentJobs, now }),
    codeHost: codeHostService({
      db,
      codeHost,
      findConnection: () => connections.list().find(({ row }) => row.kind === 'embedded')?.row.connectionId ?? null,
      refreshJob: async (job) => {
        const reading = connections.find(job.connectionId)?.agentJobs.readNow(job, null)
        await reading?.catch((error: unknown) => log.debug({ err: error }, 'a job was not read after its pull request'))
      },
      databaseWaitMs,
      now,
    }),
    /** Recurring work, started and stopped with the server. */
    background: work,
    /** Reads the metrics over all processes from the database. */
    reading: async () => ({
      ...(await readPolling()),
      storage: await artifacts.storage.measure(probes),
      backups: await backups.measure(probes),
    }),
    /** The records on people's screens. */
    viewers: {
      ...interest,
      note: (...viewed: Parameters<typeof interest.note>) => {
        interest.note(...viewed)
        pullRequests.noteViewed(...viewed)
      },
    },
    /** Calls `hear` after every read of a pull request. */
    onPullRequestRead: pullRequests.onRead,
    /** Starts polling. */
    start: () => {
      connections.start()
      sealing.start(() => work.request('seal-audit'))
      artifacts
        .requestAdoption()
        .catch((error: unknown) => log.debug({ err: error }, 'the next clean-up looks through the store'))
    },
    /** Stops polling and waits for the reads in flight. */
    stop: async () => {
      sealing.stop()
      await Promise.all([interest.stop(), connections.stop()])
      await artifacts.stop()
      await refused.stop()
      await apiTokens.settled()
    },
    /** Closes the remaining connections. Call it after `stop`. */
    close: connections.close,
  }
}

/** Every service, and the work that runs without a request. */
export type Services = Awaited<ReturnType<typeof buildServices>>
