import type { Channel, Release, Site } from '@docket/api-types/sites'
import { getShownNumber, nameChannel } from '#features/releases/sites/site-labels.ts'
import { usePinChannel, useRollBackChannel } from '#features/releases/sites/sites.queries.ts'
import { formatCount } from '#lib/text/format.ts'
import { toast, toastFailure } from '#ui/messages/toast.ts'

/** Rolls a channel back to a release, and offers to undo it. */
export const useRollBackWithUndo = (site: Site, channel: Channel) => {
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
