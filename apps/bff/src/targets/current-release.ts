import { eq } from 'drizzle-orm'
import type { Tx } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'
import type { ChannelRow } from '#sites/site-reader.ts'
import { releases } from '#sites/sites.table.ts'

/** The release that a channel shows. Throws `conflict` if there is none. */
export const getCurrent = async (
  db: Tx,
  { name, currentReleaseId }: Pick<ChannelRow, 'name' | 'currentReleaseId'>,
): Promise<{ releaseId: string; sum: string }> => {
  const [current] =
    currentReleaseId === null ? [] : await db.select().from(releases).where(eq(releases.releaseId, currentReleaseId))
  if (current === undefined)
    throw new AppError('conflict', `The channel ${name} shows nothing yet. Promote a bundle first.`)
  return current
}
