import type { Database } from '#db/database.ts'
import type { Identity } from '#identity/identity.ts'
import { mayPromote, maySeeChannel } from '#identity/site-rights.ts'
import { type Holder, listHolders } from './addresses/address-rows.ts'

/** How long a bundle can be downloaded after its channel moved on, so that downloads end. Milliseconds. */
const overlapMs = 24 * 3_600_000

/** What lets somebody have a bundle. `through`: the channel that they may see; undefined for what is public only. */
type DownloadRight = { isPublic: boolean; through: Holder | undefined }

/**
 * Decides for every download who may have the bytes of a bundle: who may see a channel that is live with it, operators of a channel that ever
 * was, and everyone while a public channel holds it. Null for others.
 */
export const downloadRights =
  ({ db, now }: { db: Database; now: () => number }) =>
  async (identity: Identity, sha256: string): Promise<DownloadRight | null> => {
    const holders = await listHolders(db, sha256, new Date(now() - overlapMs))
    const isPublic = holders.some(({ access, isHeld }) => access === 'public' && isHeld)
    const through = holders.find(
      (one) =>
        maySeeChannel(identity, one, one.channelId) &&
        (one.isLive || mayPromote(identity, one, { ...one, isProtected: false })),
    )
    return isPublic || through !== undefined ? { isPublic, through } : null
  }

/** Decides who may download a bundle. */
export type FindDownloadRight = ReturnType<typeof downloadRights>
