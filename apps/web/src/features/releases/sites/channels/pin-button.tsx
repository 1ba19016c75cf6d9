import type { Channel, Site } from '@docket/api-types/sites'
import { useState } from 'react'
import { explainNoPromotion, nameChannel } from '#features/releases/sites/site-labels.ts'
import { usePin } from '#features/releases/sites/sites.queries.ts'
import { Button } from '#ui/buttons/button.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { ConfirmPopover } from './confirm-popover.tsx'

const maxLength = 2000

/** Pins a channel with a reason, or unpins it. */
export const PinButton = ({ site, channel }: { site: Site; channel: Channel }) => {
  const { mutate, isPending } = usePin({ siteId: site.siteId, channelId: channel.channelId })
  const [reason, setReason] = useState('')
  const name = nameChannel(channel)
  const refused = channel.mayPromote ? null : explainNoPromotion(name)
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
      <p className="mb-3">Rules leave a pinned channel alone. People can still promote to it.</p>
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
