import type { Channel } from '@docket/api-types/sites'
import type { Target } from '@docket/api-types/targets'
import { nameRelease } from '#features/releases/targets/target-labels.ts'
import { isolateText, formatCount } from '#lib/text/format.ts'
import { QuestionDialog } from '#ui/overlays/dialog.tsx'

type TakeBackDialogProps = {
  target: Target
  channel: Pick<Channel, 'name' | 'current'>
  onConfirm: () => void
  onClose: () => void
}

export const TakeBackDialog = ({ target, channel, onConfirm, onClose }: TakeBackDialogProps) => {
  const { name, delivered, onRelease } = target
  const { current } = channel
  return (
    <QuestionDialog
      title={`Take back the last delivery to ${isolateText(name)}?`}
      action="Take back"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <div className="grid gap-2 text-muted">
        <p>
          Docket delivers the bundle that was there before
          {delivered && ` ${nameRelease(delivered)}`}, and reads it back.
        </p>
        <p className="wrap-anywhere">
          {current && (
            <>
              <bdi>{channel.name}</bdi> still has release {formatCount(current.number)} live.{' '}
            </>
          )}
          {onRelease ? 'The next release of the channel goes to the target again.' : ''}
        </p>
      </div>
    </QuestionDialog>
  )
}
