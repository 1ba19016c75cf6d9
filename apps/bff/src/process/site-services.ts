import type { Database } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'
import { channelService } from '#releases/sites/channels.service.ts'
import { siteDescriber } from '#releases/sites/describe-site.ts'
import { exportFollower } from '#releases/sites/follow-exports.ts'
import { siteJoiner } from '#releases/sites/join-sites.ts'
import { gateService } from '#releases/publish-checks/gate.service.ts'
import { openProposals } from '#releases/sites/open-proposals.ts'
import type { SiteArtifacts } from '#bundles/site-artifacts.ts'
import type { ChannelAddresses, ChannelGate, OnReleased } from '#releases/sites/ports.ts'
import { releaseService } from '#releases/sites/releases.service.ts'
import { siteReader } from '#releases/sites/site-reader.ts'
import { siteService } from '#releases/sites/sites.service.ts'

/** Everything about sites, their channels and releases. */
export const siteServices = (deps: {
  db: Database
  artifacts: SiteArtifacts
  /** What the gates of channels compare. */
  gateFacts: Pick<Parameters<typeof gateService>[0], 'facts' | 'countChanges'>
  /** Replaces the gate, in tests of what follows from it. */
  gate?: ChannelGate
  addresses: ChannelAddresses
  /** Called in the transaction in which a channel begins to show a bundle. */
  onReleased: readonly OnReleased[]
  now: () => number
  log: Log
}) => {
  const { db, artifacts, addresses, now } = deps
  const reader = siteReader(db)
  const gate = gateService({ db, reader, artifacts, ...deps.gateFacts, now })
  const describer = siteDescriber({ db, artifacts, addresses })
  const { follow, onArtifactChanged, tick } = exportFollower(deps)
  return {
    reader,
    gate,
    sites: siteService({ db, reader, describer, artifacts, now }),
    channels: channelService({ db, reader, addresses, now }),
    releases: releaseService({ ...deps, gate: deps.gate ?? gate, reader, follow }),
    openProposals: openProposals({ db, reader }),
    joining: siteJoiner({ db, reader, artifacts, follow, now }),
    /** Lets the channels that follow the exports of a site move now. */
    follow,
    onArtifactChanged,
    /** Called every few seconds. */
    tick,
  }
}

export type SiteServices = ReturnType<typeof siteServices>
