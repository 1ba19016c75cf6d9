import type { TargetSettings } from '@docket/api-types/targets'
import { describePlace } from '#features/releases/targets/target-labels.ts'
import { useRemoveTarget, type TargetKey } from '#features/releases/targets/targets.queries.ts'
import { isolateText, revealHiddenCharacters } from '#lib/text/format.ts'
import { DeleteDialog } from '#ui/overlays/dialog.tsx'

type RemoveDialogProps = { target: TargetKey; name: string; settings: TargetSettings; onClose: () => void }

export const RemoveDialog = ({ target, name, settings, onClose }: RemoveDialogProps) => {
  const deletion = useRemoveTarget(target)
  return (
    <DeleteDialog
      title={`Remove ${isolateText(name)}?`}
      action="Remove target"
      failure={`Could not remove ${isolateText(name)}`}
      deletion={deletion}
      onDelete={() => deletion.mutateAsync()}
      message={`Removed ${isolateText(name)}.`}
      onClose={onClose}
    >
      <p className="text-muted">
        Docket deletes its secret, and delivers there no more. The files at{' '}
        <bdi dir="ltr" className="text-text wrap-anywhere">
          {revealHiddenCharacters(describePlace(settings))}
        </bdi>{' '}
        stay as they are.
      </p>
    </DeleteDialog>
  )
}
