import type { GateCheck } from '@docket/api-types/gates'
import type { ChannelAccess, ChannelHeader } from '@docket/api-types/sites'
import type { Tx } from '#ground/db/database.ts'
import type { Identity } from '#ground/identity/identity.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { ChannelRow } from './site-reader.ts'

/** Who asks, and at which host of Docket: the address of a hosted channel may have its port. */
export type Sender = { identity: Identity; actor: Actor; host: string }

/** A stored artifact of a site. `isChecked`: its check finished. */
export type StoredArtifact = {
  exportId: string
  siteId: string
  sha256: string
  domain: string
  exportedAt: Date
  pages: number
  sizeBytes: number
  isChecked: boolean
}

/** The stored artifacts of listed exports, which channels may show. */
export type SiteArtifacts = {
  /** As `find`, also for an export that is not listed any more, and while its bundle is missing from the store. */
  findStored: (db: Tx, exportId: string) => Promise<StoredArtifact | null>
  /** Null unless its bundle is stored. */
  find: (db: Tx, exportId: string) => Promise<StoredArtifact | null>
  /** The newest of a site, newest first. `isChecked`: only those whose check finished. */
  listNewest: (db: Tx, siteId: string, which: { limit: number; isChecked?: boolean }) => Promise<StoredArtifact[]>
  /** The newest of each site that has one. */
  findNewest: (db: Tx, siteIds: readonly string[]) => Promise<ReadonlyMap<string, StoredArtifact>>
  /** True when a bundle is stored. Keeps it from being removed, and locks it until the transaction ends. */
  hold: (tx: Tx, sha256: string) => Promise<boolean>
  /** Reads what `move` counts, so that nobody waits for the store under a lock. */
  prepareMove: (siteIds: readonly string[]) => Promise<void>
  /** Moves artifacts to another site, with their counts and what people accepted. `feed`: only those of its exports. */
  move: (
    tx: Tx,
    sites: { from: string; to: string; feed: { connectionId: string; domain: string } | null },
  ) => Promise<void>
  /** Begins to compare the newest artifacts of a site again, after others came or went. */
  compareAgain: (siteId: string) => void
}

/** The conditions of a channel. */
export type ChannelGate = {
  /** Compares a stored artifact with what the channel shows now. Called outside of transactions. */
  evaluate: (
    channel: ChannelRow,
    candidate: { exportId: string; sha256: string; siteId: string },
    current: { exportId: string; sha256: string } | null,
  ) => Promise<{ checks: GateCheck[]; passed: boolean }>
  /** Ends the open proposal of a channel, in the transaction that does what it asked for. `sha256` null: the one to make it public. */
  endProposal: (
    tx: Tx,
    channelId: string,
    end: { outcome: 'promoted' | 'replaced' | 'withdrawn'; sha256: string | null; at: Date },
  ) => Promise<void>
}

/** Where hosted channels open. */
export type ChannelAddresses = {
  /** `host`: of Docket, as the reader's browser names it. */
  describe: (
    host: string,
    channel: { label: string; name: string; hostname: string | null; access: ChannelAccess },
  ) => { address: string | null; problem: string | null }
  /** The hostname as it is stored. Throws `invalid_request` for one that channels must not have. */
  checkHostname: (text: string) => string
  /** Throws `invalid_request` for a header that channels must not send. */
  checkHeaders: (headers: readonly ChannelHeader[]) => void
  /** False for a saved header that channels may no longer set. */
  isAccepted: (header: ChannelHeader) => boolean
}

/** Called in the transaction in which a channel begins to show a bundle. */
export type OnReleased = (
  tx: Tx,
  released: { siteId: string; channelId: string; releaseId: string; sha256: string },
) => Promise<void>
