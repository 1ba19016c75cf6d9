import type { Database } from '#ground/db/database.ts'
import type { Identity } from '#ground/identity/identity.ts'
import { mayPromote, maySeeChannel } from '#ground/identity/site-rights.ts'
import { listHolders } from './addresses/address-rows.ts'

/** How long a bundle can be downloaded after its channel moved on, so that downloads end. Milliseconds. */
const overlapMs = 24 * 3_600_000

/**
 * Decides for every download who may have the bytes of a bundle: who may see a channel that is live with it, operators of a channel that ever
 * was, and everyone while a public channel holds it. Null for others. `through`: the channel that they may see.
 */
export const downloadRights =
  ({ db, now }: { db: Database; now: () => number }) =>
  async (identity: Identity, sha256: string) => {
    const holders = await listHolders(db, sha256, new Date(now() - overlapMs))
    const isPublic = holders.some(({ access, isHeld }) => access === 'public' && isHeld)
    const through = holders
      .filter(({ channelId, ...site }) => maySeeChannel(identity, site, channelId))
      .find((one) => one.isLive || mayPromote(identity, one, { ...one, isProtected: false }))
    return isPublic || through !== undefined ? { isPublic, through } : null
  }

/** Decides who may download a bundle. */
export type FindDownloadRight = ReturnType<typeof downloadRights>
