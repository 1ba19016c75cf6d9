import type { AdminApi } from '#service/admin-api/admin-api.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Polling } from '#service/polling/polling.ts'
import { exportCanceller } from './cancel-export.ts'
import { staticExportAdopter } from './attach-export.ts'
import { staticExportStarter } from './start-export.ts'
import { staticExportReader, staticExportWatcher } from './static-exports.watcher.ts'

/** Starts, reads, cancels and watches exports at one connection. */
export const exportOperations = (deps: Ctx & { adminApi: AdminApi; polling: Polling }) => {
  const reader = staticExportReader(deps)
  const watcher = staticExportWatcher({ ...deps, reader })
  const starter = staticExportStarter({ ...deps, wake: watcher.wake })
  const { import: importJob, attach } = staticExportAdopter(deps)
  return {
    watcher,
    readNow: reader.readNow,
    start: starter.start,
    settled: starter.settled,
    cancel: exportCanceller(deps),
    importJob,
    attach,
  }
}

/** What can be done with exports at one connection. */
export type ExportOperations = ReturnType<typeof exportOperations>
