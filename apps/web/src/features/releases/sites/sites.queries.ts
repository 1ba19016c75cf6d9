import type { PublishChecks } from '@docket/api-types/publish-checks'
import type { Channel, ReleaseList, Site, SiteList, SiteReleaseList } from '@docket/api-types/sites'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, post, remove } from '#lib/api/api.ts'
import { refetchInterval } from '#lib/polling/polling.ts'
import { replaceChannel } from './site-labels.ts'

const root = 'sites'
/** Home's rows, one list of sites and exports. */
export const homeKey = ['static-exports', 'list', 'sites']
/** Everything that shows what is live. */
export const siteKeys = [[root], homeKey]
const returnFalse = () => false

export const sitesQuery = (paused: boolean) =>
  queryOptions({
    queryKey: [root, 'list'],
    queryFn: ({ signal }) => get('/api/sites', { signal }),
    refetchInterval: refetchInterval<SiteList>({ paused, isLive: returnFalse }),
  })

export const siteQuery = (siteId: string, paused: boolean) =>
  queryOptions({
    queryKey: [root, 'one', siteId],
    queryFn: ({ signal }) => get('/api/sites/{siteId}', { params: { siteId }, signal }),
    refetchInterval: refetchInterval<Site>({ paused, isLive: returnFalse }),
  })

export const exportSiteQuery = (exportId: string, paused: boolean) =>
  queryOptions({
    queryKey: [root, 'of-export', exportId],
    queryFn: ({ signal }) => get('/api/static-exports/{exportId}/site', { params: { exportId }, signal }),
    refetchInterval: refetchInterval<Site>({ paused, isLive: returnFalse }),
  })

export const siteArtifactsQuery = (siteId: string) =>
  queryOptions({
    queryKey: [root, 'artifacts', siteId],
    queryFn: ({ signal }) => get('/api/sites/{siteId}/artifacts', { params: { siteId }, signal }),
  })

export const releasesQuery = (siteId: string, channelId: string) =>
  infiniteQueryOptions({
    queryKey: [root, 'releases', siteId, channelId],
    queryFn: ({ signal, pageParam }) =>
      get('/api/sites/{siteId}/channels/{channelId}/releases', {
        params: { siteId, channelId },
        query: { before: pageParam, limit: 20 },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ releases, hasMore }: ReleaseList) => (hasMore ? releases.at(-1)?.number : undefined),
  })

export const siteReleasesQuery = (siteId: string) =>
  infiniteQueryOptions({
    queryKey: [root, 'releases', siteId, 'all'],
    queryFn: ({ signal, pageParam }) =>
      get('/api/sites/{siteId}/releases', { params: { siteId }, query: { before: pageParam, limit: 20 }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ releases, hasMore }: SiteReleaseList) => (hasMore ? releases.at(-1)?.releaseId : undefined),
  })

/**
 * The checks of one export before publishing it to a channel. The version is part of the key, because each result holds only for the release it was compared
 * with. Read again while it refuses, because checks finish and people approve.
 */
export const publishChecksQuery = (
  siteId: string,
  { channelId, version }: Channel,
  exportId: string,
  paused: boolean,
) =>
  queryOptions({
    queryKey: [root, 'publishChecks', siteId, channelId, exportId, version],
    queryFn: ({ signal }) =>
      get('/api/sites/{siteId}/channels/{channelId}/publish-checks', {
        params: { siteId, channelId },
        query: { export: exportId },
        signal,
      }),
    staleTime: 10_000,
    refetchInterval: refetchInterval<PublishChecks>({
      paused,
      isLive: ({ proposal }) => proposal !== null,
      isSettled: ({ passed }) => passed,
    }),
  })

type Target = { siteId: string; channelId: string }

/** A command about a channel. Shows the returned channel everywhere, and rereads related data before it finishes. */
const useWriteChannel = <Input>(write: (input: Input) => Promise<Channel>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess: async (channel) => {
      // An older response must not overwrite this channel.
      await client.cancelQueries({ queryKey: [root] })
      client.setQueriesData<SiteList>(
        { queryKey: [root, 'list'] },
        (list) => list && { sites: list.sites.map((site) => replaceChannel(site, channel)) },
      )
      for (const part of ['one', 'of-export'])
        client.setQueriesData<Site>({ queryKey: [root, part] }, (site) => site && replaceChannel(site, channel))
    },
    onSettled: () => {
      for (const queryKey of siteKeys) void client.invalidateQueries({ queryKey })
    },
  })
}

/** Publishes an export. `version` is the one that its checks were shown for. */
export const usePublishExport = ({ siteId, channelId }: Target) =>
  useWriteChannel((body: { version: number; exportId: string; note: string | null; override: string | null }) =>
    post('/api/sites/{siteId}/channels/{channelId}/releases', { params: { siteId, channelId }, body }),
  )

export const useRollBackChannel = ({ siteId, channelId }: Target) =>
  useWriteChannel((body: { version: number; releaseId: string }) =>
    post('/api/sites/{siteId}/channels/{channelId}/rollback', { params: { siteId, channelId }, body }),
  )

export const usePinChannel = ({ siteId, channelId }: Target) =>
  useWriteChannel(({ version, pinned }: { version: number; pinned: boolean }) => {
    const params = { siteId, channelId }
    return pinned
      ? post('/api/sites/{siteId}/channels/{channelId}/pin', { params, body: { version } })
      : remove('/api/sites/{siteId}/channels/{channelId}/pin', { params, query: { version } })
  })
