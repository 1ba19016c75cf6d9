import type { StaticExport } from '@docket/api-types/static-exports'
import { useAnnouncedChanges } from '#ui/records/use-announced-changes.ts'
import { formatDomain, describeExportState, isRunningExport, isStoringBundle } from './export-state.ts'
import { toExportId } from './static-exports.queries.ts'

const toQuarter = (progress: number | null) => (progress === null ? 0 : Math.floor(progress / 25))

/**
 * Text for screen readers about an export's start, 25, 50 and 75 per cent, or end; null for none. An export from before `sinceMs` came
 * into view by scrolling or filtering, so its start is not announced.
 */
export const describeExportChange = (
  before: StaticExport | undefined,
  after: StaticExport,
  sinceMs = 0,
): string | null => {
  const name = `Export of ${formatDomain(after)}`
  if (!before) return isRunningExport(after) && Date.parse(after.startedAt) >= sinceMs ? `${name} started` : null
  if (before.state !== after.state && !isRunningExport(after))
    return `${name}: ${describeExportState(after).word.toLowerCase()}`
  if (isStoringBundle(before) && !isStoringBundle(after))
    return `Bundle of ${formatDomain(after)}: ${after.artifact?.state === 'stored' ? 'saved' : 'not saved'}`
  if (!isRunningExport(after)) return null
  const [was, is] = [toQuarter(before.progress), toQuarter(after.progress)]
  return is > was && is < 4 ? `${name}: ${is * 25} per cent` : null
}

/** Announces changes of `rows` to screen readers. The first render is silent. */
export const useExportAnnouncements = (rows: readonly StaticExport[] | undefined): void =>
  useAnnouncedChanges(rows, toExportId, describeExportChange)
