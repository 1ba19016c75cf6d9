import type { StaticExport } from '@docket/api-types/static-exports'
import { copyForSupport } from '#ui/copying/copy.ts'

export const copyExportFacts = (row: StaticExport): Promise<void> =>
  copyForSupport('static export', {
    export: row.exportId,
    domain: row.domain,
    state: row.state,
    'service says': row.status,
    'job id': row.jobId,
    reason: row.reason,
    'last check failed': row.checkFailure && `${row.checkFailure.code}, ${row.checkFailure.at}`,
    started: row.startedAt,
    finished: row.finishedAt,
    checked: row.checkedAt,
  })
