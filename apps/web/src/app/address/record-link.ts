import type { RecordKey } from '@docket/api-types/history'
import { buildJobLink } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { buildExportLink } from '#features/records/static-exports/export-state.ts'

export const buildRecordLink = (key: RecordKey) =>
  key.type === 'static_export' ? buildExportLink(key.exportId) : buildJobLink(key)
