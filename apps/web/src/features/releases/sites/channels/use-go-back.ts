import type { Channel, Release, Site } from '@docket/api-types/sites'
import { nameChannel } from '#features/releases/sites/site-labels.ts'
import { usePinChannel, useRollBackChannel } from '#features/releases/sites/sites.queries.ts'
import { formatCount } from '#lib/text/format.ts'
import { toast, toastFailure } from '#ui/messages/toast.ts'

/** Rolls a channel back to a release, shows that this pinned it, and offers to undo both. */
export const useRollBackWithUndo = (site: Site, channel: Channel) => {
  const target = { siteId: site.siteId, channelId: channel.channelId }
  const name = nameChannel(channel)
  const rollBack = useRollBackChannel(target)
  const pin = usePinChannel(target)
  const undo = async (before: Release, wasPinned: boolean, after: Channel) => {
    try {
      const again = await rollBack.mutateAsync({ version: after.version, releaseId: before.releaseId })
      if (!wasPinned) await pin.mutateAsync({ version: again.version, pinned: false })
      toast(`${name} shows release ${formatCount(before.number)} again.`, { tone: 'done' })
    } catch (error) {
      toastFailure(`${name} could not be taken forward.`)(error)
    }
  }
  const goBack = (release: Release) => {
    const { current, pinned, version } = channel
    rollBack.mutate(
      { version, releaseId: release.releaseId },
      {
        onSuccess: (after) =>
          toast(`${name} shows what release ${formatCount(release.number)} showed, and is pinned.`, {
            tone: 'done',
            ...(current && { action: { label: 'Undo', run: () => void undo(current, pinned !== null, after) } }),
          }),
        onError: toastFailure(`${name} was not rolled back.`),
      },
    )
  }
  return { goBack, busy: rollBack.isPending || pin.isPending }
}
