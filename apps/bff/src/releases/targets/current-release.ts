import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { findCurrent } from '#releases/sites/releases.list.ts'
import type { ChannelRow } from '#releases/sites/site-reader.ts'

/** The release that a channel shows. Throws `conflict` if there is none. */
export const getCurrent = async (
  db: Tx,
  channel: Pick<ChannelRow, 'name' | 'currentReleaseId'>,
): Promise<{ releaseId: string; sum: string }> => {
  const current = await findCurrent(db, channel)
  if (current === null)
    throw new AppError('conflict', `The channel ${channel.name} shows nothing yet. Promote a bundle first.`)
  return current
}
