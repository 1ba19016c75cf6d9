import type { StaticExportStatistics } from '@docket/api-types/static-export-statistics'
import { formatCount, formatDuration, formatPlural } from '#lib/text/format.ts'
import { Figure } from '#ui/records/facts.tsx'

/** `95 %` of the exports that ended well or badly; null without any. */
export const formatSuccess = ({ completed, failed, lost }: StaticExportStatistics['total']): string | null => {
  const ended = completed + failed + lost
  // Rounded down, so that a rate with failures never reads 100 %.
  return ended === 0 ? null : `${Math.floor((completed / ended) * 100)} %`
}

export const DomainNumbers = ({ total }: { total: StaticExportStatistics['total'] }) => {
  const ended = total.completed + total.failed + total.lost
  const { durationMs, pages } = total
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4 xl:grid-cols-2">
      <Figure name="Exports" sample="finished">
        {formatCount(ended)}
      </Figure>
      <Figure name="Success" sample={`${formatCount(total.completed)} of ${formatCount(ended)}`}>
        {formatSuccess(total)}
      </Figure>
      <Figure name="Median duration" sample={`of ${formatPlural(durationMs.sample, 'full export')}`}>
        {durationMs.median === null ? null : formatDuration(durationMs.median)}
      </Figure>
      <Figure name="Median pages" sample={`of ${formatPlural(pages.sample, 'full export')}`}>
        {pages.median === null ? null : formatCount(pages.median)}
      </Figure>
    </dl>
  )
}
