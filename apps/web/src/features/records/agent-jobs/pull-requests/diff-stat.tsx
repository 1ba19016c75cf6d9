import type { DiffStat as Stat } from '@docket/api-types/changes'
import { formatCount, formatPlural } from '#lib/text/format.ts'

export const DiffStat = ({ stat: { files, added, removed } }: { stat: Stat }) => (
  <span className="whitespace-nowrap">
    <span className="sr-only">
      {`${formatPlural(added, 'line')} added, ${formatCount(removed)} removed in ${formatPlural(files, 'file')}`}
    </span>
    <span aria-hidden="true">
      <span className="font-medium text-done">+{formatCount(added)}</span>{' '}
      <span className="font-medium text-failed">−{formatCount(removed)}</span> in {formatPlural(files, 'file')}
    </span>
  </span>
)
