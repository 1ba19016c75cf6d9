import type { PreparedBundle } from '@docket/api-types/bundles'
import { printDownloadPath } from '#features/records/static-exports/static-exports.queries.ts'
import { announce } from '#lib/state/announcements.ts'
import { saveFile } from '#ui/copying/save-file.ts'
import { toast } from '#ui/messages/toast.ts'

/** Saves a bundle, or says why it is no archive and offers it anyway. `label` names the domain. */
export const savePrepared = (exportId: string, label: string, { problem }: Pick<PreparedBundle, 'problem'>): void => {
  const save = (anyway?: 'true') => {
    saveFile(printDownloadPath(exportId, anyway))
    announce(`Downloading the bundle of ${label}`)
  }
  if (problem === undefined) return save()
  toast(`The bundle of ${label} may be unusable. ${problem}`, {
    tone: 'attention',
    action: { label: 'Download anyway', run: () => save('true') },
  })
}
