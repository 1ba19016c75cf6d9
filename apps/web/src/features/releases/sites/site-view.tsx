import type { Channel, Site } from '@docket/api-types/sites'
import { useQuery, useInfiniteQuery } from '@tanstack/react-query'
import { useState, type ReactNode, useId } from 'react'
import { ApiError } from '#lib/api/api-error.ts'
import { buttonClass } from '#ui/buttons/button.tsx'
import { useConnections } from '#ui/connections/use-connections.ts'
import { Link } from '#ui/links/link.tsx'
import { LoadMore } from '#ui/list/load-more.tsx'
import { lazyDialog } from '#ui/overlays/lazy.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { Loading } from '#ui/layout/skeleton.tsx'
import { usePaused } from '#ui/live/use-paused.ts'
import { ChannelCard } from './channels/channel-card.tsx'
import { SiteProposals } from './proposals/site-proposals.tsx'
import { findMainChannel, nameChannel } from './site-labels.ts'
import { siteQuery, releasesQuery } from './sites.queries.ts'
import { useSeesExports } from './use-sees-exports.ts'
import { ReleaseItem } from '#features/releases/sites/releases/release-item.tsx'

const ReleaseHistory = ({ site, channel }: { site: Site; channel: Channel }) => {
  const id = useId()
  const query = useInfiniteQuery(releasesQuery(site.siteId, channel.channelId))
  const { data, error, dataUpdatedAt, refetch } = query
  const seesExports = useSeesExports(site)
  const releases = data?.pages.flatMap((page) => page.releases)
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 text-base font-semibold">
        History of {nameChannel(channel)}
      </h2>
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {!releases && !error && <Loading label="Loading releases" lines={['h-40 w-full']} />}
      {releases?.length === 0 && (
        <p className="panel px-4 py-8 text-center text-sm text-muted">
          {channel.followsExports
            ? 'No release yet. It moves by itself to the newest export whose check finished.'
            : 'No release yet. Publish an export to show it to readers.'}
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
      <LoadMore query={query} />
    </section>
  )
}

const PublishDialog = lazyDialog(async () => (await import('./publish/publish-dialog.tsx')).PublishDialog)

const SiteFeeds = ({ feeds }: Site) => {
  const connections = useConnections()
  const names = new Map(connections?.map(({ connectionId, name }) => [connectionId, name]))
  return (
    <>
      {feeds.map(({ connectionId, domain }, nth) => (
        <span key={`${connectionId} ${domain}`}>
          {nth > 0 && ', '}
          <bdi>{domain}</bdi>
          {names.has(connectionId) && names.size > 1 && (
            <>
              {' at '}
              <bdi>{names.get(connectionId)}</bdi>
            </>
          )}
        </span>
      ))}
    </>
  )
}

const SiteHeader = ({ site }: { site: Site }) => (
  <PageHeader
    title={<bdi>{site.name}</bdi>}
    actions={
      <Link to="/sites/$siteId/settings" params={{ siteId: site.siteId }} className={buttonClass({ size: 'md' })}>
        Settings
      </Link>
    }
  >
    <span className="flex flex-wrap gap-x-3">
      <code className="wrap-anywhere">{site.label}</code>
      <span className="wrap-anywhere">
        Exports of <SiteFeeds {...site} />
      </span>
    </span>
  </PageHeader>
)

export const SiteView = ({
  siteId,
  channel: name,
  renderChannel,
}: {
  siteId: string
  channel: string | undefined
  /** Shown below the history of the chosen channel: deliveries, host configuration, snippets. */
  renderChannel: (site: Site, channel: Channel) => ReactNode
}) => {
  const { data: site, error, dataUpdatedAt, refetch } = useQuery(siteQuery(siteId, usePaused()))
  const [publishing, setPublishing] = useState<{ channelId: string; exportId?: string } | null>(null)
  const seesExports = useSeesExports(site ?? { feeds: [] })
  if (!site && error instanceof ApiError && error.code === 'not_found')
    return (
      <>
        <PageHeader title="Site not found" />
        <p className="text-sm text-muted">It joined another site, you may not see it, or the address is wrong.</p>
      </>
    )
  if (!site)
    return error ? (
      <StaleNotice error={error} dataUpdatedAt={0} onRetry={() => void refetch()} />
    ) : (
      <Loading className="space-y-4" lines={['h-8 w-64', 'h-48 w-full', 'h-64 w-full']} />
    )
  const chosen = site.channels.find((one) => one.name === name) ?? findMainChannel(site)
  return (
    <>
      <SiteHeader site={site} />
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      <div className="mb-4 empty:hidden">
        <SiteProposals
          site={site}
          seesExports={seesExports}
          onPublish={(channelId, exportId) => setPublishing({ channelId, exportId })}
        />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
        {site.channels.map((channel) => (
          <ChannelCard
            key={channel.channelId}
            site={site}
            channel={channel}
            isChosen={channel.channelId === chosen?.channelId}
            onPublish={() => setPublishing({ channelId: channel.channelId })}
          />
        ))}
      </div>
      {chosen && (
        <div key={chosen.channelId} className="mt-7 grid grid-cols-[minmax(0,1fr)] gap-7">
          <ReleaseHistory site={site} channel={chosen} />
          {renderChannel(site, chosen)}
        </div>
      )}
      {publishing !== null && (
        <PublishDialog
          site={site}
          channelId={publishing.channelId}
          exportId={publishing.exportId}
          onClose={() => setPublishing(null)}
        />
      )}
    </>
  )
}
