import { checkHeaders, isAccepted } from '#releases/hosting/channel-headers.ts'
import { hostedHosts } from '#releases/hosting/hosted-hosts.ts'
import { deleteEndedReaders } from '#releases/hosting/hosted-sites.service.ts'
import { hosting } from '#releases/hosting/hosting.ts'
import { previewHosts } from '#releases/previews/preview-hosts.ts'
import {
  deleteEndedPreviews,
  endPreviews,
  type PreviewedArtifacts,
  previewService,
} from '#releases/previews/previews.service.ts'
import { servePreviews } from '#releases/previews/serve-previews.ts'
import { gateService } from '#releases/publish-checks/gate.service.ts'
import { channelService } from '#releases/sites/channels.service.ts'
import { siteDescriber } from '#releases/sites/describe-site.ts'
import { exportFollower } from '#releases/sites/follow-exports.ts'
import { siteJoiner } from '#releases/sites/join-sites.ts'
import { openProposals } from '#releases/sites/open-proposals.ts'
import type { ChannelAddresses, ChannelGate } from '#releases/sites/ports.ts'
import { releaseService } from '#releases/sites/releases.service.ts'
import { type SiteReader, siteReader } from '#releases/sites/site-reader.ts'
import { siteService } from '#releases/sites/sites.service.ts'
import { deliveryService } from '#releases/targets/deliveries.service.ts'
import { deliveryWork } from '#releases/targets/delivery-work.ts'
import { type TargetMachine, targetOpener } from '#releases/targets/open-target.ts'
import { targetSecrets } from '#releases/targets/target-secrets.ts'
import { targetTester } from '#releases/targets/target-tests.ts'
import { targetService } from '#releases/targets/targets.service.ts'
import { previewViolationStore } from '#bundles/artifacts/preview-violations.ts'
import type { Bundles } from '#bundles/bundles.ts'
import type { SiteArtifacts } from '#bundles/site-artifacts.ts'
import type { Instance } from '#people/accounts/instance.ts'
import type { PreviewAddress } from '#ground/config/preview-address.ts'
import type { Ground } from '#ground/ground.ts'
import type { OwnHosts } from '#ground/http/access/own-hosts.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'
import type { PersonIdentity } from '#ground/identity/identity.ts'

/** Sites, their channels and releases. */
export const openSites = (
  ground: Ground,
  deps: {
    artifacts: SiteArtifacts
    /** What the gates of channels compare. */
    gateFacts: Pick<Parameters<typeof gateService>[0], 'facts' | 'countChanges'>
    /** Replaces the gate, in tests of what follows from it. */
    gate?: ChannelGate
    addresses: ChannelAddresses
  },
) => {
  const { db, now, events, ticks } = ground
  const { artifacts, addresses } = deps
  const reader = siteReader(db)
  const gate = gateService({ db, reader, artifacts, ...deps.gateFacts, now })
  const describer = siteDescriber({ db, artifacts, addresses })
  const { follow, followExport, catchUp } = exportFollower({ ...ground, artifacts })
  ticks.add(10, catchUp)
  for (const event of ['bundle.stored', 'bundle.deleted'] as const) events.after(event, 'follow-exports', followExport)
  return {
    reader,
    gate,
    sites: siteService({ db, reader, describer, artifacts, now }),
    channels: channelService({ db, reader, addresses, now }),
    releases: releaseService({ ...ground, artifacts, gate: deps.gate ?? gate, reader, follow }),
    openProposals: openProposals({ db, reader }),
    joining: siteJoiner({ db, reader, artifacts, follow, now }),
    /** Lets the channels that follow the exports of a site move now. */
    follow,
  }
}

/** Targets that one process asks for at a time. */
const maxAsked = 100

/** Targets and the deliveries to them. Nothing is delivered before the ticks begin. */
const openTargets = (
  ground: Ground,
  deps: {
    reader: SiteReader
    hold: SiteArtifacts['hold']
    openSite: Bundles['artifacts']['openSite']
    /** Where targets may be on this machine. */
    machine: TargetMachine
    instance: Instance
    /** Secrets that the log hides. Grows. */
    secrets: Set<string>
  },
) => {
  const shared = {
    ...ground,
    ...deps,
    secrets: targetSecrets(deps.instance, deps.secrets),
    open: targetOpener(deps.machine),
  }
  const { run, listWaiting } = deliveryWork(shared)
  const waiting = ground.work.addWaiting({ name: 'docket-deliveries', run, atOnce: 4 }, () => listWaiting(maxAsked))
  ground.ticks.add(10, waiting.request)
  const deliveries = deliveryService({ ...shared, wake: waiting.wake })
  ground.events.on('channel.published', deliveries.requestWanted)
  return { targets: targetService(shared), tester: targetTester(shared), deliveries }
}

/** Sites, targets, and what serves channels and single bundles. */
export const openReleases = (
  ground: Ground,
  deps: Pick<Parameters<typeof openTargets>[1], 'machine' | 'instance' | 'secrets'> & {
    artifacts: Pick<Bundles['artifacts'], 'ofSites' | 'gateFacts' | 'openSite' | 'finder' | 'recount'>
    hosts: OwnHosts
    hostingUrl: PreviewAddress | null
    previewUrl: PreviewAddress | null
    findPerson: (sessionId: string) => Promise<PersonIdentity | null>
    /** Rejects with `not_found` for an export outside a scope. */
    ensureInScope: (exportId: string, scope: TokenScope) => Promise<unknown>
    /** Replaces the stored bundles of previews, in tests. */
    previewed?: PreviewedArtifacts | undefined
  },
) => {
  const { db, now, log, events, work } = ground
  const { artifacts, hosts, hostingUrl, previewUrl, findPerson, ensureInScope, instance } = deps
  const ofPreviews = previewHosts({ hosts, previewUrl, secret: instance.secret })
  const isPreview = (name: string) => ofPreviews.readLabel(name) !== null
  const ofSites = hostedHosts({ hosts, hostingUrl, previewUrl, isPreview })
  const sites = openSites(ground, {
    artifacts: artifacts.ofSites,
    gateFacts: artifacts.gateFacts,
    addresses: { ...ofSites, checkHeaders, isAccepted },
  })
  const { openSite } = artifacts
  const targets = openTargets(ground, { ...deps, reader: sites.reader, hold: artifacts.ofSites.hold, openSite })
  const previews = previewService({
    db,
    hosts: ofPreviews,
    artifacts: deps.previewed ?? { find: artifacts.finder.find, open: openSite },
    violations: previewViolationStore(db),
    recount: artifacts.recount,
    findPerson,
    ensureInScope,
    now,
  })
  for (const event of ['export.removed', 'bundle.deleted'] as const)
    events.on(event, (tx, { exportId }) => endPreviews(tx, exportId))
  work.add(
    { name: 'ended-previews', cron: '52 * * * *', run: () => deleteEndedPreviews(db, now()) },
    { name: 'ended-readers', cron: '56 * * * *', run: () => deleteEndedReaders(db, now()) },
  )
  const { hostedSites, serve } = hosting({ db, hosts, hostedHosts: ofSites, openSite, findPerson, log, now })
  return {
    sites,
    targets,
    previews,
    servePreview: servePreviews({ previews, log, now }),
    hostedSites,
    hostedHosts: ofSites,
    serveHosted: serve,
  }
}
