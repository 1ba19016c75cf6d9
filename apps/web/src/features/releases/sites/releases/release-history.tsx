import type { Channel, Site } from '@docket/api-types/sites'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { nameChannel } from '#features/releases/sites/site-labels.ts'
import { releasesQuery } from '#features/releases/sites/sites.queries.ts'
import { useSeesExports } from '#features/releases/sites/use-sees-exports.ts'
import { Button } from '#ui/buttons/button.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { ReleaseItem } from './release-item.tsx'

/** Releases of a channel, the newest first. */
export const ReleaseHistory = ({ site, channel }: { site: Site; channel: Channel }) => {
  const id = useId()
  const query = useInfiniteQuery(releasesQuery(site.siteId, channel.channelId))
  const { data, error, dataUpdatedAt, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const seesExports = useSeesExports(site)
  const releases = data?.pages.flatMap((page) => page.releases)
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 text-base font-semibold">
        History of {nameChannel(channel)}
      </h2>
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {!releases && !error && (
        <div role="status" aria-label="Loading releases">
          <Skeleton className="h-40 w-full" />
        </div>
      )}
      {releases?.length === 0 && (
        <p className="panel px-4 py-8 text-center text-sm text-muted">
          {channel.followsExports
            ? 'No release yet. It moves by itself to the newest export whose check finished.'
            : 'No release yet. Promote an export to show it to readers.'}
        </p>
      )}
      {releases && releases.length > 0 && (
        <ul className="panel divide-y divide-line">
          {releases.map((release, nth) => (
            <ReleaseItem
              key={release.releaseId}
              site={site}
              channel={channel}
              release={release}
              before={releases[nth + 1] ?? null}
              seesExports={seesExports}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <p className="mt-4 text-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </p>
      )}
    </section>
  )
}
