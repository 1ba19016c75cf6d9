import type { StaticExport } from '@docket/api-types/static-exports'
import { useQuery } from '@tanstack/react-query'
import { buildExportLink, formatDomain } from '#features/records/static-exports/export-state.ts'
import { exportsQuery } from '#features/records/static-exports/static-exports.queries.ts'
import { formatInstant } from '#lib/text/format.ts'
import { Link } from '#ui/links/link.tsx'
import { DeleteDialog } from '#ui/overlays/dialog.tsx'
import { useDeleteCopy } from './artifacts.queries.ts'

type Row = Pick<StaticExport, 'exportId' | 'startedAt' | 'artifact'>

/** Exports that point to the copy of `row`: those with the same bytes, and those that are compared with it. */
export const findDependentExports = <Other extends Row>(row: Row, others: readonly Other[]) => {
  const stored = others.filter(({ exportId, artifact }) => exportId !== row.exportId && artifact?.state === 'stored')
  return {
    sameBytes: stored.filter(({ artifact }) => row.artifact?.sha256 && artifact?.sha256 === row.artifact.sha256),
    compared: stored.filter(({ artifact }) => artifact?.change?.against === row.exportId),
  }
}

const OtherExports = ({ title, rows }: { title: string; rows: readonly StaticExport[] }) =>
  rows.length > 0 && (
    <>
      <p className="mt-3">{title}</p>
      <ul className="mt-1 list-disc pl-5">
        {rows.map(({ exportId, startedAt }) => (
          <li key={exportId}>
            <Link {...buildExportLink(exportId)} className="text-accent hover:underline">
              Export of {formatInstant(startedAt)}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )

export const DeleteCopyDialog = ({ row, onClose }: { row: StaticExport; onClose: () => void }) => {
  const remove = useDeleteCopy()
  const { data, isPending, isError } = useQuery(
    exportsQuery({ domain: row.domain, connection: row.connectionId ?? '' }, true),
  )
  const { sameBytes, compared } = findDependentExports(row, data?.items ?? [])
  return (
    <DeleteDialog
      title="Delete the bundle?"
      action="Delete the bundle"
      failure="Docket could not delete it"
      deletion={remove}
      onDelete={() => remove.mutateAsync(row.exportId)}
      message={`Deleted the bundle of ${formatDomain(row)}.`}
      onClose={onClose}
    >
      <p>
        Its pages, findings, changes and previews go with it.{' '}
        {row.jobId === null
          ? 'It was uploaded, so no service has it.'
          : 'A download then needs the service, which may no longer have the bundle.'}
      </p>
      {row.artifact?.kept && <p className="mt-3 font-medium">Somebody marked it to be kept.</p>}
      <OtherExports title="These exports have the same bytes and remain saved:" rows={sameBytes} />
      <OtherExports title="These exports are compared with it and lose that comparison:" rows={compared} />
      <p role="status" className="mt-3 text-muted empty:hidden">
        {isPending && 'Looking for what points to it…'}
        {isError && !data && 'Docket could not look for other exports that point to it.'}
        {data && sameBytes.length + compared.length === 0 && 'No other export points to it.'}
      </p>
    </DeleteDialog>
  )
}
