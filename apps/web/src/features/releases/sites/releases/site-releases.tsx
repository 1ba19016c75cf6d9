import type { Channel, Release, Site } from '@docket/api-types/sites'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RollBackDialog } from '#features/releases/sites/channels/roll-back-dialog.tsx'
import { siteReleasesQuery } from '#features/releases/sites/sites.queries.ts'
import { useSeesExports } from '#features/releases/sites/use-sees-exports.ts'
import { Loading } from '#ui/layout/skeleton.tsx'
import { LoadMore } from '#ui/list/load-more.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { ReleaseItem } from './release-item.tsx'

/** What the channels of a site showed, in one history. */
export const SiteReleases = ({ site }: { site: Site }) => {
  const query = useInfiniteQuery(siteReleasesQuery(site.siteId))
  const { data, error, dataUpdatedAt, refetch } = query
  const [again, setAgain] = useState<{ channel: Channel; release: Release } | null>(null)
  const seesExports = useSeesExports(site)
  const releases = data?.pages.flatMap((page) => page.releases)
  return (
    <section aria-label="Releases">
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {!releases && !error && <Loading label="Loading releases" lines={['h-40 w-full']} />}
      {releases?.length === 0 && (
        <p className="panel px-4 py-8 text-center text-sm text-muted">
          No release yet. Publish an export to show it to readers.
        </p>
      )}
      {releases && releases.length > 0 && (
        <ul className="panel divide-y divide-line">
          {releases.map((release, nth) => {
            const { channelId, releaseId } = release
            const channel = site.channels.find((one) => one.channelId === channelId)
            return (
              channel && (
                <ReleaseItem
                  key={releaseId}
                  channel={channel}
                  isMain={channelId === site.mainChannelId}
                  isOnly={site.channels.length === 1}
                  release={release}
                  before={releases.slice(nth + 1).find((one) => one.channelId === channelId) ?? null}
                  seesExports={seesExports}
                  onAgain={() => setAgain({ channel, release })}
                />
              )
            )
          })}
        </ul>
      )}
      <LoadMore query={query} />
      {again && <RollBackDialog site={site} {...again} onClose={() => setAgain(null)} />}
    </section>
  )
}
