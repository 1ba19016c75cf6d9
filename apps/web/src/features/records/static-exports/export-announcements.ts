import type { StaticExport } from '@docket/api-types/static-exports'
import { useAnnouncedChanges } from '#ui/records/use-announced-changes.ts'
import { formatDomain, exportState, isRunning } from './export-state.ts'
import { toExportId } from './static-exports.queries.ts'
import { isStoring, storedLabel } from './stored-label.ts'

const quarter = (progress: number | null) => (progress === null ? 0 : Math.floor(progress / 25))

/**
 * Text for screen readers about an export's start, 25, 50 and 75 per cent, or end; null for none. An export from before `sinceMs` came
 * into view by scrolling or filtering, so its start is not announced.
 */
export const describeChange = (before: StaticExport | undefined, after: StaticExport, sinceMs = 0): string | null => {
  const name = `Export of ${formatDomain(after)}`
  if (!before) return isRunning(after) && Date.parse(after.startedAt) >= sinceMs ? `${name} started` : null
  if (before.state !== after.state && !isRunning(after)) return `${name}: ${exportState(after).word.toLowerCase()}`
  if (isStoring(before) && !isStoring(after))
    return `Bundle of ${formatDomain(after)}: ${storedLabel(after)?.word ?? 'not stored'}`
  if (!isRunning(after)) return null
  const [was, is] = [quarter(before.progress), quarter(after.progress)]
  return is > was && is < 4 ? `${name}: ${is * 25} per cent` : null
}

/** Announces changes of `rows` to screen readers. The first render is silent. */
export const useExportAnnouncements = (rows: readonly StaticExport[] | undefined): void =>
  useAnnouncedChanges(rows, toExportId, describeChange)
