import type { StaticExport } from '@docket/api-types/static-exports'
import { domainLink } from '#features/records/static-exports/domain/domain-link.ts'
import { formatDomain, isRunning, startVerb } from '#features/records/static-exports/export-state.ts'
import { usuallyText } from '#lib/time/durations.ts'
import { formatDuration } from '#lib/text/format.ts'
import { reveal } from '#lib/text/reveal.ts'
import { Link } from '#ui/links/link.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { CheckedInFull } from '#ui/records/checked.tsx'
import { Copied } from '#ui/records/copied.tsx'
import { Fact, Facts } from '#ui/records/facts.tsx'
import { Usual } from '#ui/records/usual.tsx'
import { Elapsed, Instant } from '#ui/live/ticking.tsx'

/** True when the usual durations fit it: they come from full exports that were started here. */
export const isComparable = (row: StaticExport) => !row.imported && row.paths === null

export const ExportFacts = ({ row }: { row: StaticExport }) => (
  <Panel title="Details">
    <Facts>
      <Fact name="Domain">
        <Link {...domainLink(formatDomain(row))} className="text-accent hover:underline">
          {row.domain}
        </Link>
        {row.domainUnicode && <span className="text-muted"> ({row.domainUnicode})</span>}
      </Fact>
      <Fact name="Version">{row.version}</Fact>
      <Fact name="Paths">
        {row.paths ? (
          <ul className="font-mono text-xs">
            {row.paths.map((path) => (
              <li key={path}>{reveal(path)}</li>
            ))}
          </ul>
        ) : (
          'All pages'
        )}
      </Fact>
      <Fact name="Job ID">{row.jobId && <Copied text={row.jobId} label="Copy job ID" />}</Fact>
      <Fact name="Service says">{row.status && <code className="font-mono text-xs">{row.status}</code>}</Fact>
      <Fact name={row.imported && row.jobId !== null ? 'Tracked since' : startVerb(row)}>
        <Instant at={row.startedAt} />
      </Fact>
      <Fact name={row.finishedAt ? 'Took' : 'Running for'}>
        {typeof row.durationMs === 'number'
          ? formatDuration(row.durationMs)
          : !row.imported && isRunning(row) && <Elapsed from={row.startedAt} to={null} />}
      </Fact>
      {row.finishedAt && typeof row.durationMs === 'number' && row.state === 'completed' && isComparable(row) && (
        <Fact name="Compared">
          {usuallyText(row.usual, 'export') && (
            <Usual usual={row.usual} noun="export" from={row.startedAt} to={row.finishedAt} />
          )}
        </Fact>
      )}
      <Fact name="Ended">{row.finishedAt && row.jobId !== null && <Instant at={row.finishedAt} />}</Fact>
      <Fact name="Last checked">{row.jobId && <CheckedInFull record={row} live={isRunning(row)} />}</Fact>
    </Facts>
  </Panel>
)
