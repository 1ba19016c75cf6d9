import type { StaticExport } from '@docket/api-types/static-exports'
import type { CsvColumns } from '#ground/http/csv.ts'

/** Columns of exports in CSV files. No bundle link is among them. */
export const exportColumns: CsvColumns<StaticExport> = {
  started_at: (row) => row.startedAt,
  domain: (row) => row.domain,
  version: (row) => row.version,
  paths: (row) => row.paths?.join(' ') ?? null,
  state: (row) =>
    row.goneAt !== null && row.state === 'accepted'
      ? 'gone'
      : row.state === 'failed' && row.reason === 'cancelled'
        ? 'cancelled'
        : row.state,
  service_status: (row) => row.status,
  progress_percent: (row) => row.progress,
  pages: (row) => row.pageCount,
  reason: (row) => row.reason,
  finished_at: (row) => row.finishedAt,
  duration_ms: (row) => row.durationMs ?? null,
  bundle_bytes: (row) => row.bundle?.sizeBytes ?? null,
  bundle_sha256: (row) => row.bundle?.sha256 ?? null,
  artifact: (row) => row.artifact?.reason ?? row.artifact?.state ?? null,
  artifact_breaks: (row) => row.artifact?.check?.findings.breaks ?? null,
  artifact_leaks: (row) => row.artifact?.check?.findings.leaks ?? null,
  imported: (row) => row.imported,
  removed_at: (row) => row.removedAt ?? null,
  connection_id: (row) => row.connectionId ?? null,
  job_id: (row) => row.jobId,
  export_id: (row) => row.exportId,
}
