import type { StaticExportStatistics } from '@docket/api-types/static-export-statistics'

/** `95 %` of the exports that ended well or badly; null without any. */
export const formatSuccess = ({ completed, failed, lost }: StaticExportStatistics['total']): string | null => {
  const ended = completed + failed + lost
  // Rounded down, so that a failure never reads as none.
  return ended === 0 ? null : `${Math.floor((completed / ended) * 100)} %`
}
