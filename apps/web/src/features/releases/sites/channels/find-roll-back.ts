import type { QueryClient } from '@tanstack/react-query'
import { findEarlierRelease, findMainChannel } from '#features/releases/sites/site-labels.ts'
import { releasesQuery, siteQuery } from '#features/releases/sites/sites.queries.ts'
import { toast, toastFailure } from '#ui/messages/toast.ts'

/** What `RollBackDialog` asks about the main channel of a site. Null after a message, when there is nothing to ask. */
export const findRollBack = async (client: QueryClient, siteId: string) => {
  try {
    const site = await client.fetchQuery(siteQuery(siteId, true))
    const channel = findMainChannel(site)
    const read = channel?.current && (await client.fetchInfiniteQuery(releasesQuery(siteId, channel.channelId)))
    const releases = read?.pages.flatMap((page) => page.releases) ?? []
    const release = channel?.current && findEarlierRelease(releases, channel.current)
    if (channel && release) return { site, channel, release }
    toast('There is no earlier release to roll back to.')
  } catch (error) {
    toastFailure('Could not read the releases.')(error)
  }
  return null
}
