import type { Channel, Release, Site } from '@docket/api-types/sites'
import { nameChannel } from '#features/releases/sites/site-labels.ts'
import { usePinChannel, useRollBackChannel } from '#features/releases/sites/sites.queries.ts'
import { formatCount } from '#lib/text/format.ts'
import { toast, toastFailure } from '#ui/messages/toast.ts'

/** Rolls a channel back to a release, and offers to undo it. */
export const useRollBackWithUndo = (site: Site, channel: Channel) => {
  const target = { siteId: site.siteId, channelId: channel.channelId }
  const name = nameChannel(channel)
  const rollBack = useRollBackChannel(target)
  const pin = usePinChannel(target)
  const undo = async (before: Release, wasPinned: boolean, after: Channel) => {
    try {
      const again = await rollBack.mutateAsync({ version: after.version, releaseId: before.releaseId })
      if (!wasPinned) await pin.mutateAsync({ version: again.version, pinned: false })
      toast(`Readers see release ${formatCount(before.number)}.`, { tone: 'done' })
    } catch (error) {
      toastFailure(`${name} is still rolled back.`)(error)
    }
  }
  const goBack = (release: Release) => {
    const { current, pinned, version } = channel
    rollBack.mutate(
      { version, releaseId: release.releaseId },
      {
        onSuccess: (after) =>
          toast(`Rolled back. Readers see release ${formatCount(release.number)} again.`, {
            tone: 'done',
            ...(current && { action: { label: 'Undo', run: () => void undo(current, pinned !== null, after) } }),
          }),
        onError: toastFailure(`${name} was not rolled back.`),
      },
    )
  }
  return { goBack, busy: rollBack.isPending || pin.isPending }
}
