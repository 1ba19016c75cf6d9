import type { GateCheck } from '@docket/api-types/gates'
import type { ChannelAccess, ChannelHeader } from '@docket/api-types/sites'
import type { Tx } from '#ground/db/database.ts'
import type { Identity } from '#ground/identity/identity.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { ChannelRow } from './site-reader.ts'

/** Who asks, and at which host of Docket: the address of a hosted channel may have its port. */
export type Sender = { identity: Identity; actor: Actor; host: string }

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
