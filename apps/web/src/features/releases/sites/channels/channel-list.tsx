import type { Channel, Site } from '@docket/api-types/sites'
import { Globe, Lock, Pause, ShieldCheck, UserCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { AddressLink } from '#features/releases/sites/address-link.tsx'
import { nameChannel, accessLabels } from '#features/releases/sites/site-labels.ts'
import { usePinChannel } from '#features/releases/sites/sites.queries.ts'
import { formatInstant } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { ShownRelease } from './shown-release.tsx'

const ChannelMark = ({ icon, hint, children }: { icon: ReactNode; hint?: string; children: ReactNode }) => (
  <span
    title={hint}
    className="inline-flex h-6 items-center gap-1 rounded-full border border-line px-2 text-xs font-medium text-muted [&>svg]:size-3.5"
  >
    {icon}
    {children}
  </span>
)

const accessIcons = {
  private: <Lock aria-hidden="true" />,
  signed_in: <UserCheck aria-hidden="true" />,
  public: <Globe aria-hidden="true" />,
}

const AccessMark = ({ access }: Pick<Channel, 'access'>) => (
  <ChannelMark icon={accessIcons[access]} hint={accessLabels[access].hint}>
    {accessLabels[access].word}
  </ChannelMark>
)

const GuardMarks = ({ pinned, isProtected }: Pick<Channel, 'pinned' | 'isProtected'>) => (
  <>
    {pinned && (
      <ChannelMark
        icon={<Pause aria-hidden="true" />}
        hint={[`By ${pinned.by}, ${formatInstant(pinned.at)}.`, pinned.reason].filter(Boolean).join(' ')}
      >
        Held
      </ChannelMark>
    )}
    {isProtected && (
      <ChannelMark icon={<ShieldCheck aria-hidden="true" />} hint="Only admins and people with a grant publish here.">
        Protected
      </ChannelMark>
    )}
  </>
)

/** Lets new exports move a channel that follows them, or leaves it as it is. */
const HoldButton = ({ site, channel }: { site: Site; channel: Channel }) => {
  const { mutate, isPending } = usePinChannel({ siteId: site.siteId, channelId: channel.channelId })
  const { pinned, version } = channel
  const name = nameChannel(channel)
  const toggle = () =>
    mutate(
      { version, pinned: pinned === null },
      {
        onSuccess: () =>
          toast(pinned ? `${name} follows new exports again.` : `${name} stays as it is.`, { tone: 'done' }),
        onError: toastFailure(pinned ? `${name} is still held.` : `${name} still follows new exports.`),
      },
    )
  return (
    <Button busy={isPending} onClick={toggle}>
      {pinned ? 'Resume updates' : 'Hold'}
      <span className="sr-only"> of {name}</span>
    </Button>
  )
}

const ChannelItem = ({ site, channel, isChosen }: { site: Site; channel: Channel; isChosen: boolean }) => {
  const { current, followsExports, mayPublish } = channel
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 py-2.5 text-sm first:pt-0 last:pb-0">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Link
            to="/sites/$siteId/delivery"
            params={{ siteId: site.siteId }}
            search={{ channel: channel.name }}
            resetScroll={false}
            data-chosen={isChosen || undefined}
            className="inline-flex min-h-6 items-center font-semibold text-accent underline-offset-2 hover:underline data-chosen:text-text"
          >
            {nameChannel(channel)}
          </Link>
          <AccessMark access={channel.access} />
          <GuardMarks {...channel} />
          {current?.isMissing === true ? (
            <span className="font-medium text-failed">{channel.addressProblem}</span>
          ) : (
            <AddressLink channel={channel} />
          )}
        </p>
        {!followsExports && (
          <p>
            <ShownRelease release={current} />
          </p>
        )}
      </div>
      {followsExports && mayPublish && <HoldButton site={site} channel={channel} />}
    </li>
  )
}

/** Channels of a site with their addresses and readers; the details of the chosen one are shown elsewhere. */
export const ChannelList = ({ site, chosen }: { site: Site; chosen: Channel }) => (
  <Panel title="Where readers find it">
    <ul className="divide-y divide-line">
      {site.channels.map((channel) => (
        <ChannelItem
          key={channel.channelId}
          site={site}
          channel={channel}
          isChosen={site.channels.length > 1 && channel.channelId === chosen.channelId}
        />
      ))}
    </ul>
  </Panel>
)
