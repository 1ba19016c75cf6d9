import type { ArtifactCheck, FindingLevel, Findings } from '@docket/api-types/artifacts'
import { formatCount } from '#lib/text/format.ts'
import { reveal } from '#lib/text/reveal.ts'
import { Notice } from '#ui/messages/notice.tsx'
import { StateMark } from '#ui/marks/state-mark.tsx'
import { levelLabels } from './finding-labels.ts'
import { findingLevels, type FindingsSearch } from './findings-search.ts'

/** Says that a check did not finish, so that few findings never look like a clean bundle. */
export const CheckNotice = ({ check }: { check: ArtifactCheck }) =>
  check.state === 'not_finished' && (
    <Notice tone="attention" title="The check did not finish">
      {check.detail !== null && (
        <>
          <bdi>{reveal(check.detail)}</bdi>{' '}
        </>
      )}
      There may be more findings than this page shows.
    </Notice>
  )

type SummaryProps = {
  findings: Findings
  search: FindingsSearch
  onSearch: (change: Partial<FindingsSearch>) => void
}

export const FindingsSummary = ({ findings: { check }, search, onSearch }: SummaryProps) => (
  <div role="group" aria-label="Level" className="grid grid-cols-3 gap-2 sm:gap-3">
    {findingLevels.map((level) => {
      const pressed = search.level === level
      return (
        <button
          key={level}
          type="button"
          aria-pressed={pressed}
          onClick={() => onSearch({ level: pressed ? '' : level })}
          className={`panel flex items-start gap-1.5 px-2.5 py-2 text-start transition-colors sm:gap-3 sm:px-4 sm:py-3 ${
            pressed ? 'border-accent! bg-accent-soft!' : 'hover:bg-hover'
          }`}
        >
          <LevelCount level={level} check={check} />
        </button>
      )
    })}
  </div>
)

const LevelCount = ({ level, check }: { level: FindingLevel; check: ArtifactCheck }) => {
  const { word, hint, tone } = levelLabels[level]
  const count = check.findings[level]
  const added = check.added?.[level] ?? 0
  const isClean = count === 0 && check.state === 'finished'
  return (
    <>
      <StateMark
        tone={isClean ? 'done' : count === 0 ? 'waiting' : tone}
        still
        className="mt-1.5 size-4 shrink-0 sm:mt-1 sm:size-5"
      />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-xl font-semibold">
            {formatCount(count)}
            {check.state === 'not_finished' && <span className="text-base font-normal text-muted"> or more</span>}
          </span>
          <span className="font-medium">{word}</span>
          {added > 0 && <span className="text-sm font-medium text-attention">{formatCount(added)} new</span>}
        </span>
        <span className="block text-xs text-muted max-sm:sr-only">{hint}</span>
      </span>
    </>
  )
}
