import type { Channel, Site } from '@docket/api-types/sites'
import { useState } from 'react'
import { AddressLink } from '#features/releases/sites/address-link.tsx'
import { explainNoPublishing, isNewerWaiting, nameChannel } from '#features/releases/sites/site-labels.ts'
import { useSeesExports } from '#features/releases/sites/use-sees-exports.ts'
import { revealHiddenCharacters } from '#lib/text/reveal.ts'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Link } from '#ui/links/link.tsx'
import { Instant } from '#ui/live/ticking.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { AccessMark, GuardMarks } from './channel-marks.tsx'
import { NewerExport } from './newer-export.tsx'
import { RollBackButton } from './roll-back-button.tsx'
import { ShownRelease } from './shown-release.tsx'
import { usePinChannel } from '#features/releases/sites/sites.queries.ts'
import { TextField } from '#ui/forms/field.tsx'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { ConfirmPopover } from './confirm-popover.tsx'

const maxLength = 2000

const PinButton = ({ site, channel }: { site: Site; channel: Channel }) => {
  const { mutate, isPending } = usePinChannel({ siteId: site.siteId, channelId: channel.channelId })
  const [reason, setReason] = useState('')
  const name = nameChannel(channel)
  const refused = channel.mayPublish ? null : explainNoPublishing(name)
  const set = (pinned: boolean) =>
    mutate(
      { version: channel.version, pinned, reason: reason.trim() },
      {
        onSuccess: () => {
          setReason('')
          toast(pinned ? `${name} is pinned.` : `${name} is no longer pinned.`, { tone: 'done' })
        },
        onError: toastFailure(pinned ? `${name} was not pinned.` : `${name} is still pinned.`),
      },
    )
  if (channel.pinned)
    return (
      <Button busy={isPending} refused={refused} onClick={() => set(false)}>
        Unpin
      </Button>
    )
  return (
    <ConfirmPopover
      label="Pin"
      title={`Pin ${name}?`}
      refused={refused}
      action="Pin"
      busy={isPending}
      onConfirm={() => set(true)}
    >
      <p className="mb-3">Rules leave a pinned channel alone. People can still publish to it.</p>
      <TextField
        label="Reason"
        optional
        maxLength={maxLength}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </ConfirmPopover>
  )
}

type ChannelCardProps = {
  site: Site
  channel: Channel
  isChosen: boolean
  onPublish: () => void
}

const PinnedNotice = ({ pinned }: { pinned: NonNullable<Channel['pinned']> }) => (
  <p className="text-muted">
    Pinned by <bdi>{pinned.by}</bdi>, <Instant at={pinned.at} />
    {pinned.reason && (
      <>
        : <bdi className="text-text wrap-anywhere">{revealHiddenCharacters(pinned.reason)}</bdi>
      </>
    )}
  </p>
)

const CompareLink = ({ site, channel }: { site: Site; channel: Channel }) => {
  const { newest } = site
  const { current } = channel
  const isShown = useSeesExports(site) && newest && current?.isListed && isNewerWaiting(site, channel)
  return (
    isShown && (
      <Link
        to="/exports/$exportId/changes"
        params={{ exportId: newest.exportId }}
        search={{ against: current.exportId }}
        className={buttonClass()}
      >
        Compare with newest
      </Link>
    )
  )
}

export const ChannelCard = ({ site, channel, isChosen, onPublish }: ChannelCardProps) => {
  const { current, pinned, mayPublish } = channel
  const name = nameChannel(channel)
  return (
    <Panel
      title={name}
      action={
        <span className="flex flex-wrap justify-end gap-1">
          <GuardMarks {...channel} />
          <AccessMark access={channel.access} />
        </span>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5 text-sm">
        <p>
          <ShownRelease release={current} />
        </p>
        {current?.note && (
          <p className="wrap-anywhere">
            <bdi>{revealHiddenCharacters(current.note)}</bdi>
          </p>
        )}
        {pinned && <PinnedNotice pinned={pinned} />}
        {current?.isMissing === true ? (
          <Notice tone="failed">{channel.addressProblem}</Notice>
        ) : (
          <p className="empty:hidden">
            <AddressLink channel={channel} copies />
          </p>
        )}
        <p className="empty:hidden">
          <NewerExport site={site} channel={channel} />
        </p>
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        {!channel.followsExports && (
          <Button
            variant={channel.name === 'production' ? 'primary' : 'secondary'}
            refused={mayPublish ? null : explainNoPublishing(name)}
            onClick={onPublish}
          >
            Publish
          </Button>
        )}
        <RollBackButton site={site} channel={channel} />
        <PinButton site={site} channel={channel} />
        <CompareLink site={site} channel={channel} />
        {!isChosen && (
          <Link
            to="/sites/$siteId"
            params={{ siteId: site.siteId }}
            search={{ channel: channel.name }}
            resetScroll={false}
            className={buttonClass({ variant: 'quiet' })}
          >
            History<span className="sr-only"> of {name}</span>
          </Link>
        )}
      </div>
    </Panel>
  )
}
