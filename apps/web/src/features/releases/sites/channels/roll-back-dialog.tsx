import type { Channel, Release, Site } from '@docket/api-types/sites'
import { getShownNumber, nameChannel } from '#features/releases/sites/site-labels.ts'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { Ago } from '#ui/live/ticking.tsx'
import { DeleteDialog } from '#ui/overlays/delete-dialog.tsx'
import { useRollBackWithUndo } from './use-roll-back.ts'

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
