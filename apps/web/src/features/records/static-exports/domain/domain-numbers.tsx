import type { StaticExportStatistics } from '@docket/api-types/static-export-statistics'
import type { ReactNode } from 'react'
import { formatCount, formatDuration, formatPlural } from '#lib/text/format.ts'

/** `95 %` of the exports that ended well or badly; null without any. */
export const formatSuccess = ({ completed, failed, lost }: StaticExportStatistics['total']): string | null => {
  const ended = completed + failed + lost
  // Rounded down, so that a rate with failures never reads 100 %.
  return ended === 0 ? null : `${Math.floor((completed / ended) * 100)} %`
}

const DomainFigure = ({ name, value, sample }: { name: string; value: ReactNode; sample: string }) => (
  <div className="min-w-0">
    <dt className="text-xs text-muted">{name}</dt>
    <dd>
      <span className="block text-lg font-semibold">{value ?? '–'}</span>
      <span className="block text-xs text-muted">{sample}</span>
    </dd>
  </div>
)

export const DomainNumbers = ({ total }: { total: StaticExportStatistics['total'] }) => {
  const ended = total.completed + total.failed + total.lost
  const { durationMs, pages } = total
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4 xl:grid-cols-2">
      <DomainFigure name="Exports" value={formatCount(ended)} sample="finished" />
      <DomainFigure
        name="Success"
        value={formatSuccess(total)}
        sample={`${formatCount(total.completed)} of ${formatCount(ended)}`}
      />
      <DomainFigure
        name="Median duration"
        value={durationMs.median === null ? null : formatDuration(durationMs.median)}
        sample={`of ${formatPlural(durationMs.sample, 'full export')}`}
      />
      <DomainFigure
        name="Median pages"
        value={pages.median === null ? null : formatCount(pages.median)}
        sample={`of ${formatPlural(pages.sample, 'full export')}`}
      />
    </dl>
  )
}
