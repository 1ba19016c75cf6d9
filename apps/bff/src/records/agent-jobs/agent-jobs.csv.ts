import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { CsvColumns } from '#ground/http/csv.ts'

/** Columns of agent jobs in CSV files. A pull request is there only as a link that is safe to follow. */
export const jobColumns: CsvColumns<AgentJob> = {
  followed_at: (job) => job.followedAt,
  project_id: (job) => job.projectId,
  id: (job) => job.id,
  title: (job) => job.title ?? null,
  asked_by: (job) => job.askedBy ?? null,
  state: (job) => job.meaning,
  service_status: (job) => job.status,
  summary: (job) => job.summary ?? null,
  repository: (job) => job.source.repository?.text ?? null,
  branch: (job) => job.source.ref,
  model: (job) => job.model,
  // A page of Docket has its whole address in the text.
  pull_request: ({ prLink }) => (prLink?.href?.startsWith('/') ? prLink.text : (prLink?.href ?? null)),
  pull_request_state: (job) => job.pullRequest?.state ?? null,
  files_changed: (job) => job.diffStat?.files ?? null,
  lines_added: (job) => job.diffStat?.added ?? null,
  lines_removed: (job) => job.diffStat?.removed ?? null,
  created_at: (job) => job.createdAt,
  finished_at: (job) => job.finishedAt,
  archived_at: (job) => job.archivedAt,
  removed_at: (job) => job.removedAt ?? null,
  connection_id: (job) => job.connectionId ?? null,
}
