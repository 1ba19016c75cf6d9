import type { Channel } from '@docket/api-types/sites'
import { isolate } from '#lib/text/bidi.ts'
import { DeleteDialog } from '#ui/overlays/delete-dialog.tsx'
import { toast } from '#ui/messages/toast.ts'
import { useDeleteChannel } from './settings.queries.ts'

type DeleteChannelProps = { siteId: string; channel: Channel; onClose: () => void }

/** Asks before a channel is deleted, and says what goes with it. */
export const DeleteChannelDialog = ({ siteId, channel, onClose }: DeleteChannelProps) => {
  const { channelId, name, address } = channel
  const deletion = useDeleteChannel({ siteId, channelId })
  const go = () =>
    deletion.mutate(undefined, {
      onSuccess: () => {
        toast(`Deleted the channel ${isolate(name)}.`, { tone: 'done' })
        onClose()
      },
    })
  return (
    <DeleteDialog
      title={`Delete the channel ${isolate(name)}?`}
      action="Delete channel"
      failure={`Could not delete ${isolate(name)}`}
      deletion={deletion}
      onDelete={go}
      onClose={onClose}
    >
      <p className="text-muted">
        {address !== null && (
          <>
            <span className="wrap-anywhere">{address}</span> stops working.{' '}
          </>
        )}
        Its history, targets and roles go with it, and API tokens lose it. The bundles of its releases stay stored until
        retention removes them. You can’t undo this.
      </p>
    </DeleteDialog>
  )
}
