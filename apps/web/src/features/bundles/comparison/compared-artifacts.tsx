import type { ComparedArtifact, Comparison } from '@docket/api-types/comparisons'
import { isolateText, revealHiddenCharacters } from '#lib/text/format.ts'
import { SelectField } from '#ui/forms/form.tsx'
import { formatCompared } from './change-labels.ts'

export const listChoices = ({
  earlier: other,
  later,
  others: all,
}: Pick<Comparison, 'earlier' | 'later' | 'others'>): ComparedArtifact[] => {
  const others = all.filter(({ exportId }) => exportId !== later.exportId)
  return others.some((one) => one.exportId === other.exportId)
    ? others
    : [...others, other].toSorted((a, b) => b.startedAt.localeCompare(a.startedAt))
}

type ComparedProps = { comparison: Comparison; onAgainst: (against: string) => void }

/** Selects the artifact to compare with. Shows a note when the chosen one is newer, because it still counts as the earlier one. */
export const ComparedArtifacts = ({ comparison, onAgainst }: ComparedProps) => {
  const { earlier: other, later } = comparison
  return (
    <div className="min-w-0 flex-1 basis-72 sm:max-w-md">
      <SelectField
        label="Compared with"
        value={other.exportId}
        onChange={({ target }) => onAgainst(target.value)}
        hint={
          other.startedAt > later.startedAt && 'That export is newer, so an added page is one that it no longer has.'
        }
      >
        {listChoices(comparison).map((one) => (
          <option key={one.exportId} value={one.exportId}>
            {isolateText(revealHiddenCharacters(formatCompared(one)))}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
