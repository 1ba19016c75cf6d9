import type { ChangeChannel, ChangeSite, SiteFeed } from '@docket/api-types/sites'
import { homeKey, siteKeys } from '#features/releases/sites/sites.queries.ts'
import { patch, post, remove } from '#lib/api/api.ts'
import { useWrite } from '#ui/live/use-write.ts'

export const useChangeSite = (siteId: string) =>
  useWrite(siteKeys, (body: ChangeSite) => patch('/api/sites/{siteId}', { params: { siteId }, body }))

/** Leaves the page of the site alone, which is about to go. */
export const useRemoveSite = (siteId: string) =>
  useWrite([['sites', 'list'], homeKey], () => remove('/api/sites/{siteId}', { params: { siteId } }))

export const useJoinSite = (siteId: string) =>
  useWrite(siteKeys, (other: string) =>
    post('/api/sites/{siteId}/join', { params: { siteId }, body: { siteId: other } }),
  )

export const useSeparateSite = (siteId: string) =>
  useWrite(siteKeys, (body: SiteFeed) => post('/api/sites/{siteId}/separate', { params: { siteId }, body }))

export const useAddChannel = (siteId: string) =>
  useWrite(siteKeys, (name: string) => post('/api/sites/{siteId}/channels', { params: { siteId }, body: { name } }))

type ChannelPath = { siteId: string; channelId: string }

/** Changes settings of a channel. Rejects with `conflict` if it has changed since the version in the request. */
export const useChangeChannel = (params: ChannelPath) =>
  useWrite(siteKeys, (body: ChangeChannel) => patch('/api/sites/{siteId}/channels/{channelId}', { params, body }))

export const useDeleteChannel = (params: ChannelPath) =>
  useWrite(siteKeys, () => remove('/api/sites/{siteId}/channels/{channelId}', { params }))
