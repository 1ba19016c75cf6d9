import type { PublishCheck } from '@docket/api-types/publish-checks'
import { checkStates, conditionLabels } from '#features/releases/sites/site-labels.ts'
import { StateMark } from '#ui/marks/state-mark.tsx'

export const PublishChecklist = ({ checks }: { checks: readonly PublishCheck[] }) => (
  <ul className="divide-y divide-line border-y border-line text-sm">
    {checks.map(({ condition, state, sentence }) => (
      <li
        key={condition}
        className={`grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 py-1.5 ${state === 'off' ? 'text-muted' : ''}`}
      >
        <StateMark tone={checkStates[state].tone} className="mt-0.5 size-4" />
        <p className="wrap-anywhere">
          <span className="font-medium">{conditionLabels[condition]}</span>
          <span className="sr-only">: {checkStates[state].word}.</span> <span className="text-muted">{sentence}</span>
        </p>
      </li>
    ))}
  </ul>
)
