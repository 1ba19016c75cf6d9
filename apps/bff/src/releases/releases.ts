import { createViolationStore } from '#bundles/artifacts/preview-violations.ts'
import type { Bundles } from '#bundles/bundles.ts'
import { ensureExportInScope } from '#records/static-exports/read-exports.ts'
import type { PreviewAddress } from '#ground/config/preview-address.ts'
import type { Ground } from '#ground/ground.ts'
import type { OwnHosts } from '#ground/http/access/own-hosts.ts'
import type { Instance } from '#people/accounts/instance.ts'
import { createHostedChannels } from '#releases/hosting/hosted-channels.ts'
import { createHostedFiles } from '#releases/hosting/hosted-files.ts'
import { createHostedHosts } from '#releases/hosting/hosted-hosts.ts'
import { deleteEndedReaders, createReaderFinder } from '#releases/hosting/hosted-sites.ts'
import { serveHosted } from '#releases/hosting/serve-hosted.ts'
import { createPreviewHosts } from '#releases/previews/preview-hosts.ts'
import { deleteEndedPreviews, endPreviews } from '#releases/previews/previews.ts'
import { servePreviews } from '#releases/previews/serve-previews.ts'
import { catchUpWithExports, followExport } from '#releases/channels/follow-exports.ts'
import { deliverDue, listWaitingTargets } from '#releases/targets/deliver.ts'
import { requestWantedDeliveries } from '#releases/targets/deliveries.ts'
import { type TargetMachine, createTargetOpener } from '#releases/targets/open-target.ts'
import { createTargetSecrets } from '#releases/targets/target-secrets.ts'
import type { HostingCtx, PreviewedArtifacts, PreviewsCtx, ReleasesCtx, TargetsCtx } from './releases-ctx.ts'

/** Lets channels follow the exports of their site from the first tick on. */
export const openSites = (
  { work: _work, ticks, ...ground }: Ground,
  deps: Pick<ReleasesCtx, 'artifacts' | 'hosts' | 'facts' | 'countChanges'>,
): ReleasesCtx => {
  const ctx = { ...ground, ...deps }
  ticks.add(10, catchUpWithExports(ctx))
  for (const event of ['bundle.stored', 'bundle.deleted'] as const)
    ground.events.after(event, 'follow-exports', (payload) => followExport(ctx, payload))
  return ctx
}

/** Maximum number of targets for which one process requests deliveries at a time. */
const maxAsked = 100

/** Nothing is delivered before the ticks begin. */
const openTargets = (
  { work, ticks, ...ground }: Ground,
  {
    instance,
    ...deps
  }: Pick<TargetsCtx, 'artifacts' | 'machine' | 'openSite'> & {
    instance: Instance
    /** Secrets that the log hides. New ones are added at run time. */
    secrets: Set<string>
  },
): TargetsCtx => {
  const delivering = {
    ...ground,
    ...deps,
    secrets: createTargetSecrets(instance, deps.secrets),
    open: createTargetOpener(deps.machine),
  }
  const { request, wake } = work.addWaiting(
    { name: 'docket-deliveries', run: (targetId, stopping) => deliverDue(delivering, targetId, stopping), atOnce: 4 },
    () => listWaitingTargets(delivering, maxAsked),
  )
  ticks.add(10, request)
  const ctx = { ...delivering, wake }
  ground.events.on('channel.published', (tx, published) => requestWantedDeliveries(ctx, tx, published))
  return ctx
}

export const openReleases = (
  ground: Ground,
  deps: Pick<PreviewsCtx, 'findPerson'> & {
    artifacts: Pick<Bundles['artifacts'], 'ofSites' | 'bundleFacts' | 'openSite' | 'finder' | 'recount'>
    hosts: OwnHosts
    hostingUrl: PreviewAddress | null
    previewUrl: PreviewAddress | null
    machine: TargetMachine
    instance: Instance
    secrets: Set<string>
    /** Replaces the stored bundles of previews, in tests. */
    previewed?: PreviewedArtifacts | undefined
  },
) => {
  const { db, now, log, events, work } = ground
  const ctx = { db, now, log, events }
  const { artifacts, hosts, hostingUrl, previewUrl, findPerson, machine, instance, secrets } = deps
  const { ofSites, openSite } = artifacts
  const ofPreviews = createPreviewHosts({ hosts, previewUrl, secret: instance.secret })
  const isPreview = (name: string) => ofPreviews.readLabel(name) !== null
  const ofChannels = createHostedHosts({ hosts, hostingUrl, previewUrl, isPreview })
  const previews: PreviewsCtx = {
    ...ctx,
    hosts: ofPreviews,
    artifacts: deps.previewed ?? { find: artifacts.finder.find, open: openSite },
    violations: createViolationStore(db),
    recount: artifacts.recount,
    findPerson,
    ensureInScope: (exportId, scope) => ensureExportInScope(ctx, exportId, scope),
  }
  for (const event of ['export.removed', 'bundle.deleted'] as const)
    events.on(event, (tx, { exportId }) => endPreviews(tx, exportId))
  work.add(
    { name: 'ended-previews', cron: '52 * * * *', run: () => deleteEndedPreviews(db, now()) },
    { name: 'ended-readers', cron: '56 * * * *', run: () => deleteEndedReaders(db, now()) },
  )
  const reading = {
    ...ctx,
    docket: hosts,
    hosts: ofChannels,
    channels: createHostedChannels(ctx),
    files: createHostedFiles(openSite),
    findPerson,
  }
  const hosting: HostingCtx = { ...reading, findReader: createReaderFinder(reading) }
  return {
    sites: openSites(ground, { artifacts: ofSites, hosts: ofChannels, ...artifacts.bundleFacts }),
    targets: openTargets(ground, { artifacts: ofSites, machine, instance, secrets, openSite }),
    previews,
    servePreview: servePreviews(previews),
    hosting,
    serveHosted: serveHosted(hosting),
  }
}
