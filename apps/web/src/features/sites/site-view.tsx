import type { Channel, Site } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ApiError } from '#lib/api-error.ts'
import { useConnections } from '#ui/connections/use-connections.ts'
import { lazyDialog } from '#ui/overlays/lazy-dialog.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { usePaused } from '#ui/use-paused.ts'
import { ChannelCard } from './channels/channel-card.tsx'
import { ReleaseHistory } from './releases/release-history.tsx'
import type { ApprovalsSlot } from './promote/slots.ts'
import { mainChannel } from './site-labels.ts'
import { siteQuery } from './sites.queries.ts'

const PromoteDialog = lazyDialog(async () => (await import('./promote/promote-dialog.tsx')).PromoteDialog)

/** Places on the page of a site for what other features show there. */
export type SiteSlots = {
  /** Buttons in the heading, such as settings. */
  actions?: (site: Site) => ReactNode
  /** Inside the card of a channel, below what it shows. */
  onCard?: (site: Site, channel: Channel) => ReactNode
  /** Beside the history of the chosen channel: deliveries, host configuration, snippets. */
  ofChannel?: (site: Site, channel: Channel) => ReactNode
  /** Inside the dialog that promotes, while the gate waits for approvals. */
  approvals?: ApprovalsSlot
}

const Feeds = ({ feeds }: Site) => {
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

const Header = ({ site, actions }: { site: Site; actions: ReactNode }) => (
  <PageHeader title={<bdi>{site.name}</bdi>} actions={actions}>
    <span className="flex flex-wrap gap-x-3">
      <code className="wrap-anywhere">{site.label}</code>
      <span className="wrap-anywhere">
        Exports of <Feeds {...site} />
      </span>
    </span>
  </PageHeader>
)

/** The page of a site: its channels, and the history of the one named `channel`, by default the one that readers know. */
export const SiteView = ({
  siteId,
  channel: name,
  slots,
}: {
  siteId: string
  channel: string | undefined
  slots: SiteSlots
}) => {
  const { data: site, error, dataUpdatedAt, refetch } = useQuery(siteQuery(siteId, usePaused()))
  const [promoting, setPromoting] = useState<string | null>(null)
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
      <div className="space-y-4" aria-busy="true">
        <Skeleton className="h-8 w-64" />
        <Skeleton className="h-48 w-full" />
        <Skeleton className="h-64 w-full" />
      </div>
    )
  const chosen = site.channels.find((one) => one.name === name) ?? mainChannel(site)
  return (
    <>
      <Header site={site} actions={slots.actions?.(site)} />
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
        {site.channels.map((channel) => (
          <ChannelCard
            key={channel.channelId}
            site={site}
            channel={channel}
            isChosen={channel.channelId === chosen?.channelId}
            onPromote={() => setPromoting(channel.channelId)}
          >
            {slots.onCard?.(site, channel)}
          </ChannelCard>
        ))}
      </div>
      {chosen && (
        <div key={chosen.channelId} className="mt-7 grid grid-cols-[minmax(0,1fr)] gap-7">
          <ReleaseHistory site={site} channel={chosen} />
          {slots.ofChannel?.(site, chosen)}
        </div>
      )}
      {promoting !== null && (
        <PromoteDialog
          site={site}
          channelId={promoting}
          approvals={slots.approvals}
          onClose={() => setPromoting(null)}
        />
      )}
    </>
  )
}
