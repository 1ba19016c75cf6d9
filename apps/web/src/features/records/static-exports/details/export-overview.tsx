import type { StaticExport } from '@docket/api-types/static-exports'
import type { ReactNode } from 'react'
import { ChangePanel, CheckPanel, PreviewPanel } from '#features/records/static-exports/artifacts/answers.tsx'
import { BundlePanel } from '#features/records/static-exports/artifacts/bundle-panel.tsx'
import { ExportProgress } from '#features/records/static-exports/export-progress.tsx'
import { isRunningExport, formatDomain, chooseStartVerb } from '#features/records/static-exports/export-state.ts'
import { useChangeExportNote } from '#features/records/static-exports/static-exports.queries.ts'
import { useRecordRefusal } from '#ui/connections/use-connections.ts'
import { RecordNote } from '#ui/records/record-note.tsx'
import { Usual } from '#ui/records/usual.tsx'
import { buildDomainLink } from '#features/records/static-exports/domain/domain-link.ts'
import { formatUsualDuration } from '#lib/time/durations.ts'
import { formatDuration } from '#lib/text/format.ts'
import { revealHiddenCharacters } from '#lib/text/reveal.ts'
import { Link } from '#ui/links/link.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { CheckedInFull } from '#ui/records/checked.tsx'
import { CopyableFact, Fact, Facts } from '#ui/records/facts.tsx'
import { Elapsed, Instant } from '#ui/live/ticking.tsx'

/** True when the usual durations apply to the export: they come from full exports started in this Docket. */
const hasComparableDuration = (row: StaticExport) => !row.imported && row.paths === null

const ExportFacts = ({ row }: { row: StaticExport }) => (
  <Panel title="Details">
    <Facts>
      <Fact name="Domain">
        <Link {...buildDomainLink(formatDomain(row))} className="text-accent hover:underline">
          {row.domain}
        </Link>
        {row.domainUnicode && <span className="text-muted"> ({row.domainUnicode})</span>}
      </Fact>
      <Fact name="Version">{row.version}</Fact>
      <Fact name="Paths">
        {row.paths ? (
          <ul className="font-mono text-xs">
            {row.paths.map((path) => (
              <li key={path}>{revealHiddenCharacters(path)}</li>
            ))}
          </ul>
        ) : (
          'All pages'
        )}
      </Fact>
      <Fact name="Job ID">{row.jobId && <CopyableFact text={row.jobId} label="Copy job ID" />}</Fact>
      <Fact name="Service says">{row.status && <code className="font-mono text-xs">{row.status}</code>}</Fact>
      <Fact name={row.imported && row.jobId !== null ? 'Tracked since' : chooseStartVerb(row)}>
        <Instant at={row.startedAt} />
      </Fact>
      <Fact name={row.finishedAt ? 'Took' : 'Running for'}>
        {typeof row.durationMs === 'number'
          ? formatDuration(row.durationMs)
          : !row.imported && isRunningExport(row) && <Elapsed from={row.startedAt} to={null} />}
      </Fact>
      {row.finishedAt &&
        typeof row.durationMs === 'number' &&
        row.state === 'completed' &&
        hasComparableDuration(row) && (
          <Fact name="Compared">
            {formatUsualDuration(row.usual, 'export') && (
              <Usual usual={row.usual} noun="export" from={row.startedAt} to={row.finishedAt} />
            )}
          </Fact>
        )}
      <Fact name="Ended">{row.finishedAt && row.jobId !== null && <Instant at={row.finishedAt} />}</Fact>
      <Fact name="Last checked">{row.jobId && <CheckedInFull record={row} live={isRunningExport(row)} />}</Fact>
    </Facts>
  </Panel>
)

const ExportProgressPanel = ({ row }: { row: StaticExport }) => (
  <div className="panel space-y-1.5 px-5 py-4 md:col-span-2">
    <ExportProgress row={row} />
    <p className="text-xs text-muted empty:hidden">
      {hasComparableDuration(row) && <Usual usual={row.usual} noun="export" from={row.startedAt} to={null} />}
    </p>
  </div>
)

const ExportNote = ({ row }: { row: StaticExport }) => {
  const change = useChangeExportNote(row.exportId)
  return <RecordNote note={row.note ?? null} refused={useRecordRefusal(row)} save={change.mutateAsync} />
}

export const ExportOverview = ({
  row,
  readers,
  hosting,
}: {
  row: StaticExport
  readers: ReactNode
  hosting: ReactNode
}) => {
  const { exportId, artifact } = row
  const isStored = artifact?.state === 'stored'
  return (
    <div className="grid grid-flow-dense grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-[repeat(2,minmax(0,1fr))]">
      {isRunningExport(row) && <ExportProgressPanel row={row} />}
      <div className="grid empty:hidden md:col-start-1 md:row-span-2">
        <BundlePanel row={row} hosting={hosting} />
      </div>
      {isStored && (
        <>
          {readers}
          <CheckPanel exportId={exportId} artifact={artifact} />
          <ChangePanel exportId={exportId} artifact={artifact} />
          <PreviewPanel exportId={exportId} artifact={artifact} />
        </>
      )}
      <div className="grid md:row-span-2">
        <ExportFacts row={row} />
      </div>
      <ExportNote row={row} />
    </div>
  )
}
