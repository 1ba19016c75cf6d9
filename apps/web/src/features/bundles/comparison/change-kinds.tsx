import type { Comparison, PageChangeKind } from '@docket/api-types/comparisons'
import { formatCount } from '#lib/text/format.ts'
import { kindLabels } from './change-labels.ts'
import { changeKinds } from './comparison-search.ts'

const Chip = ({ pressed, onClick, children }: { pressed: boolean; onClick: () => void; children: React.ReactNode }) => (
  <button
    type="button"
    aria-pressed={pressed}
    onClick={onClick}
    className={`h-7 shrink-0 rounded-full border px-2.5 text-sm font-medium whitespace-nowrap transition-colors ${
      pressed ? 'border-accent bg-accent-soft text-accent' : 'border-line bg-surface text-muted hover:bg-hover'
    }`}
  >
    {children}
  </button>
)

type KindsProps = {
  kind: PageChangeKind | ''
  counts: Comparison['counts']
  onKind: (kind: PageChangeKind | '') => void
}

/** Filter by kind of change, with counts. Omits kinds without pages. */
export const ChangeKinds = ({ kind: chosen, counts, onKind }: KindsProps) => (
  <div role="group" aria-label="Kind of change" className="flex flex-wrap gap-1.5">
    <Chip pressed={chosen === ''} onClick={() => onKind('')}>
      All{' '}
      <span className="font-normal">{formatCount(counts.added + counts.removed + counts.changed + counts.moved)}</span>
    </Chip>
    {changeKinds.map(
      (kind) =>
        (counts[kind] > 0 || kind === chosen) && (
          <Chip key={kind} pressed={kind === chosen} onClick={() => onKind(kind === chosen ? '' : kind)}>
            {kindLabels[kind].word} <span className="font-normal">{formatCount(counts[kind])}</span>
          </Chip>
        ),
    )}
  </div>
)
