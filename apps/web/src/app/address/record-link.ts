import type { RecordKey } from '@docket/api-types/history'
import { jobLink } from '#features/records/agent-jobs/job-link.ts'
import { exportLink } from '#features/records/static-exports/export-link.ts'

export const recordLink = (key: RecordKey) => (key.type === 'static_export' ? exportLink(key.exportId) : jobLink(key))
