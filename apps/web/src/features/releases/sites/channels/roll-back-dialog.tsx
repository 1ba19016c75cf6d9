import type { Channel, Release, Site } from '@docket/api-types/sites'
import { getShownNumber, nameChannel } from '#features/releases/sites/site-labels.ts'
import { usePinChannel, useRollBackChannel } from '#features/releases/sites/sites.queries.ts'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { Ago } from '#ui/live/ticking.tsx'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { DeleteDialog } from '#ui/overlays/dialog.tsx'

/** Rolls a channel back to a release, and offers to undo it. */
const useRollBackWithUndo = (site: Site, channel: Channel) => {
  const target = { siteId: site.siteId, channelId: channel.channelId }
  const rollBack = useRollBackChannel(target)
  const pin = usePinChannel(target)
  const undo = async (before: Release, wasHeld: boolean, after: Channel) => {
    try {
      const again = await rollBack.mutateAsync({ version: after.version, releaseId: before.releaseId })
      if (again.pinned && !wasHeld) await pin.mutateAsync({ version: again.version, pinned: false })
      toast(`Readers see release ${formatCount(getShownNumber(before))}.`, { tone: 'done' })
    } catch (error) {
      toastFailure(`${nameChannel(channel)} is still rolled back.`)(error)
    }
  }
  const goBack = async (release: Release) => {
    const { current, pinned, version } = channel
    const after = await rollBack.mutateAsync({ version, releaseId: release.releaseId })
    toast(`Rolled back. Readers see release ${formatCount(getShownNumber(after.current ?? release))} again.`, {
      tone: 'done',
      ...(current && { action: { label: 'Undo', run: () => void undo(current, pinned !== null, after) } }),
    })
  }
  return { goBack, rollBack }
}

type RollBackDialogProps = { site: Site; channel: Channel; release: Release; onClose: () => void }

export const RollBackDialog = ({ site, channel, release, onClose }: RollBackDialogProps) => {
  const { goBack, rollBack } = useRollBackWithUndo(site, channel)
  const action = `Roll back to release ${formatCount(getShownNumber(release))}`
  return (
    <DeleteDialog
      title={`${action}?`}
      action={action}
      variant="primary"
      deletion={rollBack}
      onDelete={() => goBack(release)}
      onClose={onClose}
    >
      <p>
        Readers of {nameChannel(channel)} see it again: {formatPlural(release.pages, 'page')}, from{' '}
        <Ago at={release.at} /> by <bdi>{release.by}</bdi>.
      </p>
      {channel.followsExports && (
        <p className="mt-2 text-muted">New exports don’t change it until somebody resumes its updates.</p>
      )}
    </DeleteDialog>
  )
}
