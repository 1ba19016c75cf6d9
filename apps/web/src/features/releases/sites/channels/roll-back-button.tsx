import type { Channel, Release, Site } from '@docket/api-types/sites'
import { useInfiniteQuery } from '@tanstack/react-query'
import { nameChannel, findEarlierRelease, explainNoPublishing } from '#features/releases/sites/site-labels.ts'
import { releasesQuery } from '#features/releases/sites/sites.queries.ts'
import { toMessage } from '#lib/api/api-error.ts'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { ConfirmPopover } from './confirm-popover.tsx'
import { useRollBackWithUndo } from './use-roll-back.ts'

type ChannelProps = { site: Site; channel: Channel }

export const RollBackQuestion = ({ channel, release }: { channel: Channel; release: Release }) => (
  <div className="grid gap-2">
    <p>
      Readers see release {formatCount(release.number)} again: {formatPlural(release.pages, 'page')}, from{' '}
      <Ago at={release.at} /> by <bdi>{release.by}</bdi>.
    </p>
    <p className="text-muted">
      {channel.pinned
        ? 'It stays pinned.'
        : `${nameChannel(channel)} is pinned then: rules leave it alone until somebody unpins it.`}
    </p>
  </div>
)

export const RollBackButton = ({ site, channel }: ChannelProps) => {
  const { goBack, busy } = useRollBackWithUndo(site, channel)
  const { data, error } = useInfiniteQuery({
    ...releasesQuery(site.siteId, channel.channelId),
    enabled: channel.current !== null,
  })
  const releases = data?.pages.flatMap((page) => page.releases) ?? []
  const release = channel.current && findEarlierRelease(releases, channel.current)
  const name = nameChannel(channel)
  const refuse = () => {
    if (!channel.mayPublish) return explainNoPublishing(name)
    if (channel.current === null) return 'Nothing is live yet.'
    if (data) return release === null ? 'There is no earlier release to roll back to.' : null
    return error ? toMessage(error) : null
  }
  return (
    <ConfirmPopover
      label="Roll back"
      title={`Roll back ${name}?`}
      refused={refuse()}
      action={release ? `Roll back to release ${formatCount(release.number)}` : 'Roll back'}
      blocked={release ? null : 'Docket is reading the releases.'}
      busy={busy}
      onConfirm={() => release && goBack(release)}
    >
      {release ? <RollBackQuestion channel={channel} release={release} /> : <Skeleton className="h-16 w-full" />}
    </ConfirmPopover>
  )
}
