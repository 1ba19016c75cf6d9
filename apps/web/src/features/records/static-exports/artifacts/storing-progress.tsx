import type { StaticExport } from '@docket/api-types/static-exports'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import { ProgressBar } from '#ui/records/progress-bar.tsx'
import { describeStoringProgress } from './artifact-labels.ts'

export const StoringProgress = ({ row }: { row: StaticExport }) => {
  const { percent, words, amount } = describeStoringProgress(row.artifact?.progress ?? null)
  return (
    <div className="space-y-1.5">
      <p className="text-sm font-medium">{words}</p>
      <ProgressBar
        percent={percent}
        tone="live"
        label={`Saving the bundle of ${formatDomain(row)}`}
        text={[words, amount].filter(Boolean).join(', ')}
      />
      <p className="min-h-4 text-xs text-muted">{amount}</p>
      <p dir="auto" className="text-xs text-attention wrap-anywhere empty:hidden">
        {row.artifact?.detail}
      </p>
    </div>
  )
}
