import type { Artifact } from '@docket/api-types/artifacts'
import type { StaticExport } from '@docket/api-types/static-exports'
import { buildDomainLink } from '#features/records/static-exports/domain/domain-link.ts'
import { chooseStartVerb, formatDomain, isRunningExport } from '#features/records/static-exports/export-state.ts'
import { formatBytes, formatDuration, formatPlural, revealHiddenCharacters } from '#lib/text/format.ts'
import { formatUsualDuration } from '#lib/time/durations.ts'
import { Link } from '#ui/links/link.tsx'
import { Instant } from '#ui/live/ticking.tsx'
import { CheckedInFull } from '#ui/records/checked.tsx'
import { CopyableFact, Fact, Facts } from '#ui/records/facts.tsx'
import { Usual } from '#ui/records/usual.tsx'
import { hasComparableDuration } from './running-panel.tsx'

const CopyEnd = ({ kept, deletedAfter }: Artifact) => {
  if (kept) return 'For good'
  return deletedAfter === null ? (
    'While it is one of the newest of its site'
  ) : (
    <>
      Until <Instant at={deletedAfter} />
    </>
  )
}

const isComparable = (row: StaticExport) =>
  row.state === 'completed' && hasComparableDuration(row) && formatUsualDuration(row.usual, 'export') !== null

export const ExportFacts = ({ row }: { row: StaticExport }) => {
  const { artifact, bundle } = row
  const saved = artifact?.state === 'stored' ? artifact : null
  const sizeBytes = saved?.sizeBytes ?? bundle?.sizeBytes ?? null
  const sha256 = saved?.sha256 ?? bundle?.sha256
  return (
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
      <Fact name={chooseStartVerb(row)}>
        <Instant at={row.startedAt} />
      </Fact>
      <Fact name="Ended">{row.finishedAt && row.jobId !== null && <Instant at={row.finishedAt} />}</Fact>
      <Fact name="Took">{typeof row.durationMs === 'number' && formatDuration(row.durationMs)}</Fact>
      <Fact name="Compared">
        {row.finishedAt && isComparable(row) && (
          <Usual usual={row.usual} noun="export" from={row.startedAt} to={row.finishedAt} />
        )}
      </Fact>
      <Fact name="Not found since">{row.goneAt && <Instant at={row.goneAt} />}</Fact>
      <Fact name="Last checked">{row.jobId && isRunningExport(row) && <CheckedInFull record={row} live />}</Fact>
      <Fact name="File">
        {bundle && <code className="font-mono text-xs">{revealHiddenCharacters(bundle.fileName)}</code>}
      </Fact>
      <Fact name="Size">{sizeBytes !== null && formatBytes(sizeBytes)}</Fact>
      <Fact name="Unpacked">
        {saved?.contentBytes &&
          saved.files !== null &&
          `${formatBytes(saved.contentBytes)} in ${formatPlural(saved.files, 'file')}`}
      </Fact>
      <Fact name="SHA-256">{sha256 && <CopyableFact text={sha256} label="Copy SHA-256" />}</Fact>
      <Fact name="Saved in Docket">{saved?.storedAt && <Instant at={saved.storedAt} />}</Fact>
      <Fact name="Kept">{saved && <CopyEnd {...saved} />}</Fact>
    </Facts>
  )
}
