import type { Artifact } from '@docket/api-types/artifacts'
import type { StaticExport } from '@docket/api-types/static-exports'
import { Download } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import { printDownloadPath } from '#features/records/static-exports/static-exports.queries.ts'
import { useDownloadRefusal } from '#features/records/static-exports/actions/use-refusals.ts'
import { formatBytes, formatPlural } from '#lib/text/format.ts'
import { revealHiddenCharacters } from '#lib/text/reveal.ts'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { useReadOnly, useRecordRefusal } from '#ui/connections/use-connections.ts'
import { lazyDialog } from '#ui/overlays/lazy.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { CopyableFact, Fact, Facts } from '#ui/records/facts.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { Instant } from '#ui/live/ticking.tsx'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { printChecksumPath, useKeepBundle, printZipPath } from './artifacts.queries.ts'
import { NotStored } from './not-stored.tsx'
import { StoringProgress } from './storing-progress.tsx'

const DeleteCopyDialog = lazyDialog(async () => (await import('./delete-copy-dialog.tsx')).DeleteCopyDialog)

const DownloadLinks = ({ row }: { row: StaticExport }) => {
  const refused = useDownloadRefusal(row)
  const files = [
    { name: 'Bundle', href: printDownloadPath(row.exportId) },
    { name: '.zip', href: printZipPath(row.exportId) },
    { name: '.sha256', href: printChecksumPath(row.exportId) },
  ]
  return files.map(({ name, href }) =>
    refused === null ? (
      <a key={name} href={href} download className={buttonClass()}>
        <Download className="size-3.5" aria-hidden="true" />
        {name}
        <span className="sr-only"> download</span>
      </a>
    ) : (
      <Button key={name} refused={refused}>
        {name}
      </Button>
    ),
  )
}

const KeepButton = ({ row, kept }: { row: StaticExport; kept: boolean }) => {
  const keep = useKeepBundle()
  const run = () =>
    keep.mutate(
      { exportId: row.exportId, keep: !kept },
      {
        onSuccess: () =>
          toast(
            kept
              ? `Retention applies to the copy of ${formatDomain(row)} again.`
              : `Keeping the copy of ${formatDomain(row)}.`,
            { tone: 'done' },
          ),
        onError: toastFailure(),
      },
    )
  return (
    <Button busy={keep.isPending} refused={useRecordRefusal(row)} onClick={run}>
      {kept ? 'Stop keeping' : 'Keep'}
    </Button>
  )
}

const CopyEnd = ({ kept, deletedAfter }: Artifact) => {
  if (kept) return 'Until somebody deletes it'
  return deletedAfter === null ? (
    'While it is among the newest of its site'
  ) : (
    <>
      Until <Instant at={deletedAfter} />
    </>
  )
}

type StoredProps = { row: StaticExport; artifact: Artifact; hosting: ReactNode }

const StoredBundle = ({ row, artifact, hosting }: StoredProps) => {
  const [deleting, setDeleting] = useState(false)
  const { sizeBytes, contentBytes, files, sha256, storedAt } = artifact
  return (
    <>
      <p className="mb-3 text-sm">
        <StateLabel tone="done">Stored</StateLabel>{' '}
        <span className="text-muted">
          {row.jobId === null
            ? 'It was uploaded, so no service has another copy.'
            : 'This copy is Docket’s own. It stays when the service deletes its job.'}
        </span>
      </p>
      <Facts>
        <Fact name="Size">{sizeBytes !== null && formatBytes(sizeBytes)}</Fact>
        <Fact name="Unpacked">
          {contentBytes !== null && files !== null && `${formatBytes(contentBytes)} in ${formatPlural(files, 'file')}`}
        </Fact>
        <Fact name="SHA-256">{sha256 && <CopyableFact text={sha256} label="Copy SHA-256" />}</Fact>
        <Fact name="Stored">{storedAt && <Instant at={storedAt} />}</Fact>
        <Fact name={artifact.kept ? 'Kept' : 'Stays'}>
          <CopyEnd {...artifact} />
        </Fact>
      </Facts>
      <div className="mt-4 flex flex-wrap gap-2">
        <DownloadLinks row={row} />
      </div>
      <div className="mt-2 flex flex-wrap gap-2">
        {hosting}
        <KeepButton row={row} kept={artifact.kept} />
        <Button variant="danger" refused={useRecordRefusal(row)} onClick={() => setDeleting(true)}>
          Delete the copy…
        </Button>
      </div>
      {deleting && <DeleteCopyDialog row={row} onClose={() => setDeleting(false)} />}
    </>
  )
}

const BundleAtService = ({ row }: { row: StaticExport }) => {
  const { bundle } = row
  const readOnly = useReadOnly(row) !== null
  return (
    <Facts>
      <Fact name="File">
        {bundle && <code className="font-mono text-xs">{revealHiddenCharacters(bundle.fileName)}</code>}
      </Fact>
      <Fact name="Size">
        {bundle && bundle.sizeBytes !== null
          ? formatBytes(bundle.sizeBytes)
          : !readOnly && 'Available after the first download'}
      </Fact>
      <Fact name="SHA-256">
        {bundle?.sha256 ? (
          <CopyableFact text={bundle.sha256} label="Copy SHA-256" />
        ) : (
          !readOnly && 'Available after the first full download'
        )}
      </Fact>
    </Facts>
  )
}

export const BundlePanel = ({ row, hosting }: { row: StaticExport; hosting: ReactNode }) => {
  const { artifact } = row
  if (row.state !== 'completed' && !artifact) return null
  return (
    <Panel title="Bundle">
      {artifact?.state === 'stored' && <StoredBundle row={row} artifact={artifact} hosting={hosting} />}
      {artifact?.state === 'storing' && <StoringProgress row={row} />}
      {artifact?.state === 'not_stored' && <NotStored row={row} artifact={artifact} />}
      {artifact?.state !== 'stored' && artifact?.state !== 'storing' && row.jobId !== null && (
        <div className="mt-4 first:mt-0">
          <BundleAtService row={row} />
        </div>
      )}
    </Panel>
  )
}
