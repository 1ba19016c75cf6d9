import type { Finding } from '@docket/api-types/artifacts'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { formatPlural } from '#lib/text/format.ts'
import { revealHiddenCharacters } from '#lib/text/reveal.ts'
import { Button } from '#ui/buttons/button.tsx'
import { StateMark, toneText } from '#ui/marks/state-mark.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { FindingPlaces } from './finding-places.tsx'
import { formatRule, levelLabels, seenByLabels, stateLabels } from './finding-labels.ts'

const marks = {
  new: 'bg-attention-soft text-attention',
  same: 'px-0! font-normal!',
  gone: 'bg-done-soft text-done',
}

const StateBadge = ({ state }: { state: NonNullable<Finding['state']> }) => (
  <span className={`rounded-full px-2 font-medium ${marks[state]}`}>{stateLabels[state]}</span>
)

export type Refusals = { refused: string | null; fileRefused: string | null }

type ItemProps = Refusals & {
  exportId: string
  finding: Finding
  /** The page that the filters choose; `''` for all. */
  page: string
  isOpenAtFirst: boolean
  isBusy: boolean
  onAccept: () => void
  onTakeBack: () => void
}

export const FindingItem = (props: ItemProps) => {
  const { exportId, finding, page, isBusy, refused, fileRefused, onAccept, onTakeBack } = props
  const id = useId()
  const [isOpen, setOpen] = useState(props.isOpenAtFirst)
  const { level, accepted, state } = finding
  const { one, tone } = levelLabels[level]
  const seenBy = seenByLabels[finding.seenBy]
  const isGone = state === 'gone'
  return (
    <article aria-labelledby={id} className="px-2 py-2 sm:px-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1.5">
        <div className="min-w-0 flex-1 basis-60">
          <h3>
            <button
              id={id}
              type="button"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
              className="flex min-h-6 w-full items-start gap-2 py-0.5 text-start"
            >
              <ChevronRight
                className={`mt-0.5 size-4 shrink-0 text-muted ${isOpen ? 'rotate-90' : ''}`}
                aria-hidden="true"
              />
              <StateMark tone={isGone ? 'done' : tone} still className="mt-0.5 size-4" />
              <span className="sr-only">{one}: </span>
              <bdi
                className={`min-w-0 font-medium wrap-anywhere ${isOpen ? '' : 'line-clamp-3'} ${accepted || isGone ? 'text-muted' : ''}`}
              >
                {revealHiddenCharacters(finding.sentence)}
              </bdi>
            </button>
          </h3>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 ps-12 text-xs text-muted">
            <span className={toneText[isGone ? 'idle' : tone]}>{revealHiddenCharacters(formatRule(finding.rule))}</span>
            <span>{formatPlural(finding.total, 'place')}</span>
            {state !== null && <StateBadge state={state} />}
            {seenBy !== null && <span>{seenBy}</span>}
          </p>
        </div>
        {!isGone && (
          <Button
            busy={isBusy}
            refused={refused}
            aria-describedby={id}
            onClick={accepted ? onTakeBack : onAccept}
            className={`max-sm:ms-12 ${isOpen ? '' : 'max-sm:hidden'}`}
          >
            {accepted ? 'Take back' : 'Accept…'}
          </Button>
        )}
      </div>
      {accepted && (
        <p className="mt-1 ps-12 text-sm wrap-anywhere">
          <span className="text-muted">
            Accepted by <bdi>{revealHiddenCharacters(accepted.by)}</bdi>, <Ago at={accepted.at} />:
          </span>{' '}
          <bdi>{revealHiddenCharacters(accepted.reason)}</bdi>
        </p>
      )}
      {isOpen && <FindingPlaces {...{ exportId, finding, page }} refused={fileRefused} labelledBy={id} />}
    </article>
  )
}
