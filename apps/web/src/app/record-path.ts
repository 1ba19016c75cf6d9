import type { RecordKey } from '@docket/api-types/activity'
import { jobPath } from '#features/agent-jobs/job-path.ts'
import { exportPath } from '#features/static-exports/export-path.ts'

/** Address of the page of an export or a job. */
export const recordPath = (key: RecordKey): string =>
  key.type === 'static_export' ? exportPath(key.exportId) : jobPath(key)
