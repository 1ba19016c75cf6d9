import { createScheduledBackups } from '#process/backup/scheduled/scheduled-backups.ts'
import type { Disks } from '#process/disks/watch-disks.ts'
import { openOverview } from '#overview/overview.ts'
import { openReleases } from '#releases/releases.ts'
import { type BundleNeeds, openBundles, openStore } from '#bundles/bundles.ts'
import { measureStorage } from '#bundles/retention/storage-report.ts'
import { openRecords, recordKinds } from '#records/records.ts'
import { readPollingMetrics } from '#service/connections/polling-metrics.ts'
import { openService } from '#service/service.ts'
import { findPerson } from '#people/accounts/own-session.ts'
import { openPeople } from '#people/people.ts'
import type { Database } from '#ground/db/database.ts'
import { openGround } from '#ground/ground.ts'

type Dependencies = Parameters<typeof openGround>[0] &
  Parameters<typeof openPeople>[1] &
  Omit<Parameters<typeof openService>[1], 'kinds'> &
  Omit<Parameters<typeof openRecords>[1], 'registry' | 'publicUrl' | 'describeOrder' | 'hasAgent' | 'readArtifacts'> &
  Pick<Parameters<typeof openReleases>[1], 'hostingUrl' | 'previewUrl' | 'machine' | 'previewed'> &
  Pick<Parameters<typeof openOverview>[1], 'facts' | 'maintenance' | 'readWorkload'> &
  Pick<Parameters<typeof createScheduledBackups>[0], 'backups'> & {
    artifacts: BundleNeeds
    disks: Pick<Disks, 'list' | 'hasRoom'>
    cleanUpBuilds: () => Promise<void>
    /** Database connections for probes, which must answer even while `db` is busy. */
    probes: Database
  }

/** Opens every area, from the bottom up, for the server and for tests. Nothing is polled before `start`. */
export const openAreas = async (deps: Dependencies) => {
  const { hosts, facts, maintenance, artifacts: needs, disks, probes } = deps
  const ground = openGround(deps)
  const people = openPeople(ground, deps)
  const service = openService(ground, { ...deps, kinds: recordKinds(ground) })
  const { registry } = service
  const store = openStore(ground, { ...needs, alone: deps.alone })
  const records = openRecords(ground, {
    ...deps,
    registry,
    publicUrl: hosts.publicUrl,
    describeOrder: maintenance?.describe ?? null,
    hasAgent: facts.local?.agent?.configured ?? true,
    readArtifacts: store.readByExport,
  })
  const bundles = openBundles(ground, {
    ...needs,
    store,
    registry,
    bundleDelivery: facts.bundleDelivery,
    hasRoom: () => disks.hasRoom('data', 'artifacts'),
    alone: deps.alone,
  })
  const releases = openReleases(ground, {
    ...deps,
    artifacts: bundles.artifacts,
    findPerson: (sessionId) => findPerson(people, sessionId),
  })
  const overview = openOverview(ground, { ...deps, service, exports: records.records, sites: releases.sites })
  const { work } = ground
  const backups = createScheduledBackups({ ...ground, ...deps, request: work.request })
  work.add(...backups.works, { name: 'old-builds', cron: '57 3 * * *', run: deps.cleanUpBuilds })
  await registry.refresh()
  return {
    refusals: ground.refusals,
    events: ground.events,
    now: deps.now,
    people,
    service,
    ...records,
    bundles,
    ...releases,
    overview,
    disks,
    backups,
    background: work,
    /** Reads the metrics over all processes from the database. */
    reading: async () => ({
      ...(await readPollingMetrics(service, probes)),
      storage: await measureStorage(probes),
      backups: await backups.measure(probes),
    }),
    start: () => {
      registry.start()
      ground.ticks.start()
      ground.sealing.start(() => work.request('seal-audit'))
      bundles.ctx
        .requestAdoption()
        .catch((error: unknown) => deps.log.debug({ err: error }, 'the next clean-up looks through the store'))
    },
    /** Stops polling and waits for the reads in flight. */
    stop: async () => {
      ground.sealing.stop()
      await Promise.all([records.viewers.stop(), ground.ticks.stop()])
      await registry.stop()
      await bundles.stop()
      await ground.refusals.stop()
      await people.settled()
    },
    /** Closes the remaining connections. Call it after `stop`. */
    close: registry.close,
  }
}

export type Areas = Awaited<ReturnType<typeof openAreas>>
