import type { DiffStat } from '@docket/api-types/changes'
import { formatCount } from '#lib/text/format.ts'

/** Added and removed lines, with words for readers who do not see colours. */
export const DiffSize = ({ added, removed }: Omit<DiffStat, 'files'>) => (
  <span className="font-mono text-xs whitespace-nowrap">
    <span className="text-done">
      +{formatCount(added)}
      <span className="sr-only"> lines added,</span>
    </span>{' '}
    <span className="text-failed">
      −{formatCount(removed)}
      <span className="sr-only"> removed</span>
    </span>
  </span>
)
