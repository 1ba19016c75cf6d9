import type { PublishChecks } from '@docket/api-types/publish-checks'
import type { BundleFacts } from '#bundles/check/bundle-report.ts'
import type { Bundles } from '#bundles/bundles.ts'
import type { SiteArtifacts } from '#bundles/site-artifacts.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { OwnHosts } from '#ground/http/access/own-hosts.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'
import type { PersonIdentity } from '#ground/identity/identity.ts'
import type { HostedChannel, HostedChannels } from '#releases/hosting/hosted-channels.ts'
import type { HostedFiles } from '#releases/hosting/hosted-files.ts'
import type { HostedHosts } from '#releases/hosting/hosted-hosts.ts'
import type { PreviewHosts } from '#releases/previews/preview-hosts.ts'
import type { Violation } from '#releases/previews/violations.ts'
import type { OpenTarget, TargetMachine } from '#releases/targets/open-target.ts'
import type { TargetSecrets } from '#releases/targets/target-secrets.ts'

type OpenSite = Bundles['artifacts']['openSite']

export type ReleasesCtx = Ctx & {
  artifacts: SiteArtifacts
  hosts: Pick<HostedHosts, 'describe' | 'checkHostname'>
  facts: {
    read: (sha256: string) => Promise<BundleFacts>
    readAccepted: (siteId: string) => Promise<ReadonlySet<string>>
  }
  /** Counts the pages that differ between two bundles. Null while the number is unknown. */
  countChanges: (earlier: string, later: string) => Promise<NonNullable<PublishChecks['change']> | null>
}

export type TargetsCtx = Pick<ReleasesCtx, keyof Ctx | 'artifacts'> & {
  /** Folders and repositories of this machine that targets may use. */
  machine: TargetMachine
  open: OpenTarget
  openSite: OpenSite
  secrets: TargetSecrets
  /** Starts waiting deliveries soon. */
  wake: () => void
}

export type HostingCtx = Ctx & {
  docket: OwnHosts
  hosts: HostedHosts
  channels: HostedChannels
  files: HostedFiles
  /** Null once a session has ended. */
  findPerson: (sessionId: string) => Promise<PersonIdentity | null>
  /** The person of a reader's cookie while they may read the channel. */
  findReader: (key: string | null, host: string, channel: HostedChannel) => Promise<PersonIdentity | null>
}

/** Stored bundles. `find` rejects with `not_found` unless the export's bundle is stored. */
export type PreviewedArtifacts = {
  find: (exportId: string) => Promise<{ sha256: string }>
  open: (sha256: string) => ReturnType<OpenSite> | Promise<ReturnType<OpenSite>>
}

export type PreviewsCtx = Ctx & {
  hosts: PreviewHosts
  artifacts: PreviewedArtifacts
  violations: {
    /** True for a new one. */
    record: (sha256: string, violation: Violation, at: Date) => Promise<boolean>
    list: (sha256: string) => Promise<(Violation & { count: number })[]>
  }
  recount: (sha256: string) => Promise<void>
  findPerson: (sessionId: string) => Promise<PersonIdentity | null>
  /** Rejects with `not_found` for an export outside a scope. */
  ensureInScope: (exportId: string, scope: TokenScope) => Promise<unknown>
}
