import type { RecordKey } from '@docket/api-types/history'
import { jobLink } from '#features/records/agent-jobs/job-link.ts'
import { exportLink } from '#features/records/static-exports/export-link.ts'

/** Link to the page of an export or a job. */
export const recordLink = (key: RecordKey) => (key.type === 'static_export' ? exportLink(key.exportId) : jobLink(key))
