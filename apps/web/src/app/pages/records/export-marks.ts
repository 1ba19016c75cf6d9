import type { Site } from '@docket/api-types/sites'
import type { ExportMarks } from '#features/records/static-exports/list/export-marks.ts'
import { findMainChannel } from '#features/releases/sites/site-labels.ts'

/** Which exports are live on the main channels of sites, and which are the newest. */
export const findExportMarks = (sites: readonly Site[]): ExportMarks => {
  const marks: ExportMarks = new Map()
  const mark = (exportId: string | undefined, word: string) =>
    exportId && marks.set(exportId, [...(marks.get(exportId) ?? []), word])
  for (const site of sites) {
    mark(findMainChannel(site)?.current?.exportId, 'Live')
    mark(site.newest?.exportId, 'Newest')
  }
  return marks
}
